import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkImport } from '../../../../src/domains/catalog/import/import-check.ts';
import { ImportRefused, type RawImport, readImportFile } from '../../../../src/domains/catalog/import-format/file.ts';
import { entry, smallWorld } from '../../../support/sales/catalog.ts';

const supplier = { slug: 'aurora', title: 'Aurora', kind: 'simulated' };

/** Every problem of a file, as `line: reason`. */
function problemsOf(text: string): string[] {
  try {
    checkImport(readImportFile(text), new Map(smallWorld.map((one) => [one.code, one])));
    return [];
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    return error.problems.map(({ line, reason }) => `${line}: ${reason}`);
  }
}

const file = (plans: unknown[], rest: object = {}) => JSON.stringify({ supplier, plans, ...rest });

suite('the file as a whole', () => {
  test('a file that is not valid JSON, or has the wrong shape, is rejected with the line', () => {
    assert.match(problemsOf('{\n"supplier": {},\n"plans": [1 2]}').join(), /^3: is not valid JSON/);
    assert.match(problemsOf('{\n"supplier": {},\n"plans": [').join(), /^3: is not valid JSON/);
    assert.deepEqual(problemsOf('[]'), ['1: must be one JSON object']);
    assert.deepEqual(problemsOf('{"plans": {}}'), ['1: plans must be a list']);
    assert.deepEqual(problemsOf(file([], { plan: [] })), [
      '1: plan is not a known field (supplier, full, destinations, plans)',
    ]);
    assert.deepEqual(problemsOf(file([], { full: 'yes' })), ['1: full must be true or false']);
    assert.deepEqual(problemsOf(JSON.stringify({ supplier: { ...supplier, kind: 'x' }, plans: [] })), [
      '1: kind must be equal to one of the allowed values',
    ]);
  });

  test('comments and trailing commas are rejected', () => {
    assert.match(problemsOf('{\n"plans": [] // none\n}').join(), /^2: is not valid JSON/);
    assert.match(problemsOf('{\n"plans": [\n1,\n]}').join(), /^4: is not valid JSON/);
  });

  test('of a list that is given twice, the last one counts, with its lines', () => {
    const text = `{"supplier": ${JSON.stringify(supplier)},\n"plans": [{}, [[1], {}],\n7],\n"plans":\n[\n8,\n[{"a": [9]}],\n{}]}`;
    const { plans } = readImportFile(text);
    assert.deepEqual(plans, [
      { entry: 8, line: 6, column: 1 },
      { entry: [{ a: [9] }], line: 7, column: 1 },
      { entry: {}, line: 8, column: 1 },
    ]);
  });

  test('every bad row is named with the line it starts on', () => {
    const text = `{
  "supplier": { "slug": "aurora", "title": "A \\"quoted\\" [title", "kind": "simulated" },
  "plans": [
    ${JSON.stringify(entry({ code: 'good' }))},
    ${JSON.stringify({ ...entry({ code: 'b' }), day: 0 }, null, 2).replaceAll('\n', '\n    ')},
    ${JSON.stringify(entry({ code: 'c', destination: 'QQ' }))}, ${JSON.stringify(entry({ code: 'good' }))},

    7
  ]
}`;
    const at = (needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length;
    assert.deepEqual(problemsOf(text), [
      `${at('"code": "b"') - 1}: day must be >= 1`,
      `${at('"destination":"QQ"')}: destination QQ is not known`,
      `${at('"destination":"QQ"')}: code good is used twice`,
      `${at('\n    7') + 1}: plan must be object`,
    ]);
  });
});

suite("a supplier's own list", () => {
  const known = new Map(smallWorld.map((one) => [one.code, one]));
  const list = (plans: object[], destinations: object[] = []): RawImport => ({
    supplier,
    full: true,
    isSupplierList: true,
    destinations: destinations.map((place, i) => ({ entry: place, line: i + 1 })),
    plans: plans.map((plan, i) => ({ entry: plan, line: i + 1 })),
  });

  test('a bad row is skipped with its reason, the others are imported', () => {
    const bad = { ...entry({ code: 'bad' }), day: 0 };
    const unplaced = entry({ code: 'unplaced', destination: 'QQ' });
    const place = { code: 'QQ', scope: 'country', title: '', slug: 'qq-land' };
    const rows = [entry({ code: 'a' }), bad, entry({ code: 'b' }), unplaced, entry({ code: 'c' })];
    const { plans, skipped } = checkImport(list(rows, [place]), known);
    assert.deepEqual(
      plans.map(({ supplierPlan }) => supplierPlan),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(
      skipped.map(({ code, reason }) => `${code}: ${reason}`),
      [
        'QQ: title must not have fewer than 1 characters',
        'bad: day must be >= 1',
        'unplaced: destination QQ is not known',
      ],
    );
  });

  test('a list whose rows are mostly bad is rejected: importing the rest would empty the catalog', () => {
    const bad = (code: string) => ({ ...entry({ code }), day: 0 });
    assert.throws(() => checkImport(list([entry(), bad('x'), bad('y')]), known), ImportRefused);
    assert.equal(checkImport(list([entry(), bad('x')]), known).skipped.length, 1);
  });
});

test('every problem has the column at which its row starts, so that it is found in a file of one line, too', () => {
  const first = JSON.stringify(entry({ code: 'good' }));
  const text = `{"plans":[${first},{}],"supplier":${JSON.stringify(supplier)}}`;
  const columnsOf = (of: string) => {
    try {
      checkImport(readImportFile(of), new Map(smallWorld.map((one) => [one.code, one])));
      return [];
    } catch (error) {
      return (error as ImportRefused).problems.map(({ line, column }) => [line, column]);
    }
  };
  assert.deepEqual(columnsOf(text), [[1, text.indexOf('{}') + 1]]);
  assert.deepEqual(columnsOf('{\n  "plans": [1 2]}'), [[2, 15]]);
});

test('what a plan is rejected for', () => {
  const reason = (special: object) => problemsOf(file([{ ...entry(), ...special }])).join();
  assert.equal(reason({ titel: 'x' }), '1: titel is not a known field');
  assert.match(reason({ title: undefined }), /title/);
  assert.equal(reason({ amount: 0 }), '1: amount 0 needs is_unlimited');
  assert.equal(reason({ is_unlimited: true }), '1: amount of an unlimited plan must be 0');
  assert.equal(reason({ price: 1.005 }), '1: price must be an amount up to 100000.00 with at most two places');
  assert.equal(reason({ price: 100000.01 }), '1: price must be an amount up to 100000.00 with at most two places');
  assert.match(reason({ price: -1 }), /^1: price /);
  assert.equal(reason({ cost: 0.0000001 }), '1: cost must be an amount up to 100000.00 with at most six places');
  assert.equal(reason({ destination: 'europe' }), '1: coverage is required: europe is not a country');
  assert.match(reason({ coverage: ['tr'] }), /^1: coverage.0 must match/);
  assert.match(reason({ network_type: '3G' }), /^1: network_type /);
  assert.equal(reason({ operator: { name: 'x' } }), '1: operator.name is not a known field');
  assert.equal(reason({ cost: '1.234567', price: '12.30', voice: null }), '');
});

test('what a destination is rejected for', () => {
  const good = { code: 'DE', scope: 'country', title: 'Germany', slug: 'germany', region: 'europe' };
  const reason = (special: object) => problemsOf(file([], { destinations: [{ ...good, ...special }] })).join();
  assert.equal(reason({}), '');
  assert.match(reason({ code: 'germany' }), /does not fit a country/);
  assert.match(reason({ scope: 'regional' }), /does not fit a regional/);
  assert.equal(reason({ region: 'atlantis' }), '1: region atlantis is not known');
  assert.equal(reason({ slug: 'france' }), '1: slug france belongs to FR');
  const region = { code: 'nordics', scope: 'regional', title: 'Nordics', slug: 'nordic', region: undefined };
  assert.match(reason(region), /code and slug of a region must be the same/);
  assert.equal(reason({ ...region, slug: 'nordics' }), '');
  assert.equal(reason({ ...region, slug: 'nordics', region: 'europe' }), '1: only a country may name a region');
  assert.equal(
    reason({ code: 'europe', slug: 'europe', scope: 'global', region: undefined }),
    '1: destination europe is regional, not global',
  );
});
