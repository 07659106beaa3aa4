import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Site } from '../../../src/entry/public/document.ts';
import { type PackedSdks, toolsPage } from '../../../src/entry/public/tools-page.ts';
import { version } from '../../../src/platform/settings/version.ts';

const api = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
const site = {
  panel: 'https://esim.example.com',
  sandbox: 'https://sandbox.example.com/v3',
  settings: { name: 'Example' },
} as unknown as Site;
const textWith = (sdks: PackedSdks) => String(toolsPage(site, api, sdks).body.text).replace(/<[^>]+>/g, '');

test('an SDK that was packed is installed from this site, one that was not is asked for', () => {
  const wheel = { name: 'wayfare_sdk-9.9.9-py3-none-any.whl', type: 'application/zip', bytes: Buffer.from('') };
  const php = { name: 'wayfare-sdk-php-9.9.9.zip', type: 'application/zip', bytes: Buffer.from('') };
  const some = textWith({ python: wheel, php });
  assert.ok(some.includes('pip install https://esim.example.com/sdk/wayfare_sdk-9.9.9-py3-none-any.whl'));
  assert.ok(
    some.includes(
      'curl -sSfO https://esim.example.com/sdk/wayfare-sdk-php-9.9.9.zip\nunzip -q wayfare-sdk-php-9.9.9.zip',
    ),
  );
  assert.ok(
    some.includes(`Ask us for the package, then install the file:npm install ./wayfare-sdk-${version}.tgz`),
    some,
  );
  const none = textWith({});
  for (const install of ['npm install ./wayfare-sdk-', 'pip install ./wayfare_sdk-', 'unzip -q wayfare-sdk-php-'])
    assert.match(
      none,
      RegExp(`${RegExp.escape(install + version.replace(/-dev$/, ''))}(-dev)?(\\.dev0)?(\\.tgz|-py3|\\.zip)`),
    );
  assert.ok(!none.includes('/sdk/'));
});

test('every language has a first purchase against the sandbox of this installation', () => {
  const text = textWith({});
  assert.equal(text.split(site.sandbox).length - 1, 4, 'three programs and the commands for developers');
});
