import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { printResult } from '../../../src/entry/cli/print.ts';

const URL = 'https://hooks.island.example/wayfare/orders';
const rows = [
  { id: 7, url: URL, amount: '12.50', status: 'active' },
  { id: 12, url: 'https://a.example/', amount: '3.00', status: 'paused' },
];
const lines = (text: string) => text.trimEnd().split('\n');

suite('a list is a table', () => {
  test('columns are as wide as their content, and figures are right-aligned', () => {
    assert.equal(
      printResult([
        { id: 7, name: 'Acme', balance: '1000.00' },
        { id: 12, name: null, balance: '3.50' },
      ]),
      'id  name  balance\n 7  Acme  1000.00\n12  -        3.50\n',
    );
    assert.equal(printResult([]), 'nothing\n');
  });

  test('it fits the terminal: the longest texts are cut, never a figure or a time', () => {
    for (const width of [80, 60, 45]) {
      const printed = lines(printResult(rows, width));
      assert.ok(Math.max(...printed.map((line) => line.length)) <= width, printed.join('\n'));
      assert.match(printed[1] ?? '', /^ 7 {2}https:\/\/hooks.*12\.50 {2}active$/);
    }
    assert.match(printResult(rows, 45), /^ 7 {2}https:\/\/hooks\S*… {3}12\.50 {2}active$/m);
    const timed = printResult([{ at: '2026-11-15 03:11:09', text: 'x'.repeat(90) }], 40);
    assert.match(timed, /^2026-11-15 03:11:09 {2}x{18}…$/m);
  });

  test('piped somewhere, nothing is cut', () => {
    assert.ok(printResult(rows).includes(`${URL}  `));
  });

  test('too many columns for the terminal: one record below the other, whole, and no line too long', () => {
    assert.equal(
      printResult(rows, 30),
      'id      7\nurl     https://hooks.island.e\n        xample/wayfare/orders\namount  12.50\nstatus  active\n\n' +
        'id      12\nurl     https://a.example/\namount  3.00\nstatus  paused\n',
    );
  });
});

suite('one thing is lines of name and value', () => {
  test('a plain list is one line, an empty one or nothing a dash', () => {
    assert.equal(
      printResult({ key_id: 7, allow_list: ['::1', '10.0.0.0/8'], events: [], note: '', expires_at: null }),
      'key_id      7\nallow_list  ::1, 10.0.0.0/8\nevents      -\nnote        -\nexpires_at  -\n',
    );
  });

  test('a value too long for the terminal goes on below itself, broken between words where there are some', () => {
    const events = 'order.created,order.paid,order.delivered,order.failed';
    assert.equal(
      printResult({ id: 7, live: { events, note: 'called them on Monday, they will look into it' } }, 40),
      'id  7\nlive\n  events  order.created,order.paid,\n          order.delivered,order.failed\n' +
        '  note    called them on Monday, they\n          will look into it\n',
    );
    assert.equal(printResult({ url: URL }), `url  ${URL}\n`, 'piped somewhere, it is one line');
  });

  test('what is inside it is indented below its name', () => {
    assert.equal(
      printResult({ ok: true, live: { orders: 2, drift: [] }, tiers: [{ min: '10.00', pct: 5 }] }),
      'ok  true\nlive\n  orders  2\n  drift   -\ntiers\n    min  pct\n  10.00    5\n',
    );
  });
});

test('text that others wrote cannot move the cursor, break a line or reverse what follows', () => {
  assert.equal(printResult({ name: 'a\u001b[2Jb\nc\u202ed' }), 'name  a·[2Jb·c·d\n');
  assert.equal(printResult([{ name: 'a\u001b[31m\r' }]), 'name\na·[31m·\n');
});
