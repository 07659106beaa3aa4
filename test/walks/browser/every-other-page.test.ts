import { test } from 'node:test';
import { everyPage } from '../../support/browser/every-page/every-page.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';

test(
  'every page is accessible: the other half',
  {
    skip: noBrowser,
  },
  (t) => everyPage(t, 1),
);
