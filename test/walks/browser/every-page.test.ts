import { test } from 'node:test';
import { everyPage } from '../../support/browser/every-page/every-page.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';

test(
  'every page is accessible in both themes, fits a phone, can be touched there, and logs no errors',
  {
    skip: noBrowser,
  },
  (t) => everyPage(t, 0),
);
