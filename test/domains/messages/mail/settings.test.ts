import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../../../src/platform/settings/config.ts';

const from = 'Example Travel <ops@example.com>';

test('without SMTP_URL there is no mail', () => {
  assert.equal(readConfig({}).mail, undefined);
  assert.equal(readConfig({ SMTP_URL: '', MAIL_FROM: from }).mail, undefined);
});

test('SMTP_URL names the server, the account and whether TLS comes first; MAIL_FROM the sender, by the name of the site if it has none', () => {
  assert.deepEqual(
    readConfig({ SMTP_URL: 'smtps://ana%40example.com:p%2Fw%3A1@mail.example.com', MAIL_FROM: from }).mail,
    {
      host: 'mail.example.com',
      port: 465,
      secure: true,
      auth: { user: 'ana@example.com', pass: 'p/w:1' },
      from: { name: 'Example Travel', address: 'ops@example.com' },
    },
  );
  const relay = readConfig({
    SMTP_URL: 'smtp://[::1]:2525/',
    MAIL_FROM: 'ops@bücher.example',
    SITE_NAME: 'Cirrus',
  }).mail;
  assert.deepEqual(
    [relay?.host, relay?.port, relay?.secure, relay?.auth, relay?.from],
    ['::1', 2525, false, undefined, { name: 'Cirrus', address: 'ops@bücher.example' }],
  );
  assert.equal(readConfig({ SMTP_URL: 'smtp://relay.example.com', MAIL_FROM: from }).mail?.port, 587);
});

test('settings that cannot work stop the start with one line that does not repeat the password', () => {
  const password = 'hunter22';
  const good = `smtps://ana:${password}@mail.example.com`;
  for (const env of [
    { SMTP_URL: good },
    { SMTP_URL: `https://ana:${password}@mail.example.com`, MAIL_FROM: from },
    { SMTP_URL: `mail.example.com:${password}`, MAIL_FROM: from },
    { SMTP_URL: `smtps://ana:${password}%zz@mail.example.com`, MAIL_FROM: from },
    { SMTP_URL: `smtps://:${password}@mail.example.com`, MAIL_FROM: from },
    { SMTP_URL: `${good}/?tls=${password}`, MAIL_FROM: from },
    { SMTP_URL: `smtp://ana:${password}@`, MAIL_FROM: from },
    ...[
      'ops',
      'ops@',
      'a@b@c',
      'Ops <ops@example.com>\r\nBcc: x@example.com',
      'Ops\n <ops@example.com>',
      '<>',
      'a@example.com, b@example.com',
      'Ops <a@example.com',
      '"Ops" <a,b@example.com>',
    ].map((MAIL_FROM) => ({ SMTP_URL: good, MAIL_FROM })),
  ])
    assert.throws(
      () => readConfig(env),
      (error: Error) =>
        error instanceof ConfigError &&
        /^(SMTP_URL|MAIL_FROM) /.test(error.message) &&
        !/hunter22|\n/.test(error.message),
      JSON.stringify(env),
    );
});
