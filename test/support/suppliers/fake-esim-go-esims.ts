import { randomBytes } from 'node:crypto';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { record } from '../program/app.ts';
import type { EsimGoBundle } from './fake-esim-go-bundles.ts';
import type { FakeRequest, Reply } from './fake-http.ts';

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const no = (status: number, message: string): Reply => ({ status, body: { message } });

interface EsimGoAssignment {
  readonly id: string;
  readonly name: string;
  readonly assignmentReference: string;
  readonly callTypeGroup: string;
  readonly initialQuantity: number;
  remainingQuantity: number;
  readonly assignmentDateTime: string;
  startTime?: string;
  endTime?: string;
  bundleState: string;
  readonly unlimited: boolean;
  /** Not shown before. */
  readonly readyAt: number;
}

export interface EsimGoEsim {
  readonly iccid: string;
  readonly matchingId: string;
  /** The documents' examples have it with a scheme. */
  readonly smdpAddress: string;
  customerRef: string;
  profileStatus: string;
  firstInstalledDateTime: number | null;
  state: string;
  readonly assignments: EsimGoAssignment[];
}

/** eSIMs at eSIM Go: their bundles, marks, and taking them back. */
export function fakeEsims(clock: Clock, state: { refunds: boolean; dropsEmpty: boolean; bareLists: boolean }) {
  const esims = new Map<string, EsimGoEsim>();
  let [lastEsim, lastAssignment] = [0, 215_000_000];

  function newEsim(): EsimGoEsim {
    lastEsim += 1;
    const matchingId = randomBytes(10).toString('hex').toUpperCase();
    record('secrets', `${matchingId}\n`);
    const esim: EsimGoEsim = {
      iccid: iccidOf('894320', lastEsim),
      matchingId,
      smdpAddress: lastEsim % 2 ? 'http://rsp.example.com' : 'rsp.example.com',
      customerRef: '',
      profileStatus: 'Released',
      firstInstalledDateTime: null,
      state: 'active',
      assignments: [],
    };
    esims.set(esim.iccid, esim);
    return esim;
  }

  function assign(esim: EsimGoEsim, bundle: EsimGoBundle, orderReference: string, readyAt: number): void {
    const { name, dataAmount, unlimited } = bundle;
    lastAssignment += 1;
    const quantity = unlimited === true ? 0 : Number(dataAmount) * 1_000_000;
    esim.assignments.push({
      id: String(lastAssignment),
      name,
      assignmentReference: `${orderReference}-0`,
      callTypeGroup: 'data',
      initialQuantity: quantity,
      remainingQuantity: quantity,
      assignmentDateTime: nanoseconds(clock.now()),
      bundleState: 'Queued',
      unlimited: unlimited === true,
      readyAt,
    });
  }

  /** An unknown ICCID is forbidden, not missing. */
  const forbidden = no(403, 'access denied');

  function bundles(esim: EsimGoEsim, query: URLSearchParams): Reply {
    if (query.get('includeUsed') !== 'true' || Number(query.get('limit') ?? 15) > 200) return no(400, 'bad query');
    const ready = esim.assignments.filter(({ readyAt }) => clock.now() >= readyAt);
    const names = [...new Set(ready.map(({ name }) => name))];
    const listed = names.map((name) => ({
      name,
      description: name,
      assignments: ready.filter((one) => one.name === name).map(({ name: _, readyAt: __, ...one }) => one),
    }));
    return ok(state.bareLists ? listed : { bundles: listed });
  }

  function revoke(esim: EsimGoEsim, name: string, id: string, query: URLSearchParams): Reply {
    const found = esim.assignments.find((one) => one.id === id && one.name === name);
    if (!found) return no(400, 'assignment not found');
    if (found.bundleState !== 'Queued') return no(400, 'bundle has started');
    if (query.get('refundToBalance') !== 'true') return no(400, 'refund to inventory is not what we ask for');
    const type = query.get('type');
    if (type !== 'validate' && type !== 'transaction') return no(400, 'bad type');
    if (type === 'validate') return ok({ status: 'Bundle can be revoked' });
    found.bundleState = 'Revoked';
    const isEmpty = esim.assignments.every(({ bundleState }) => bundleState === 'Revoked');
    if (state.dropsEmpty && isEmpty) esims.delete(esim.iccid);
    const where = state.refunds ? 'balance' : 'inventory';
    return ok({ status: `Successfully Revoked Bundle, bundle has been refunded to ${where}` });
  }

  function mark({ body }: FakeRequest): Reply {
    const { iccid, customerRef, ...more } = JSON.parse(body) as Record<string, unknown>;
    const esim = esims.get(String(iccid));
    if (!esim) return forbidden;
    if (typeof customerRef !== 'string' || Object.keys(more).length > 0) return no(400, 'bad request');
    esim.customerRef = customerRef;
    return ok({ status: 'success' });
  }

  /** The search is for a part of the text. */
  function search(query: URLSearchParams): Reply {
    if (query.get('filterBy') !== 'customerRef' || !['10', '25', '50', '100'].includes(query.get('perPage') ?? ''))
      return no(400, 'bad query');
    const filter = query.get('filter') ?? '';
    const found = [...esims.values()]
      .filter(({ customerRef }) => customerRef !== '' && customerRef.includes(filter))
      .map(({ iccid, customerRef, state }) => ({
        iccid,
        customerRef,
        state,
        lastAction: 'Bundle Applied',
        physical: false,
      }));
    return ok({ esims: found });
  }

  function shown({ assignments: _, ...esim }: EsimGoEsim): Reply {
    return ok({ ...esim, pin: '0000', puk: '12345678', profileName: 'Profile 1' });
  }

  /** One that is in that state already is refused, as their documents do not promise otherwise. */
  function setSuspended(esim: EsimGoEsim, { body, headers }: FakeRequest): Reply {
    const { suspend, ...more } = JSON.parse(body) as Record<string, unknown>;
    const isJson = headers['content-type'] === 'application/json';
    if (!isJson || typeof suspend !== 'boolean' || Object.keys(more).length > 0) return no(400, 'bad request');
    if (esim.state !== (suspend ? 'active' : 'suspended')) return no(400, 'not possible in this state');
    esim.state = suspend ? 'suspended' : 'active';
    return { status: 201, body: { status: `eSIM ${suspend ? 'suspended' : 'unsuspended'} successfully` } };
  }

  function answer(request: FakeRequest, compatible: (esim: EsimGoEsim, bundle: string) => boolean): Reply | undefined {
    const { method, path, query } = request;
    if (path === '/v2.5/esims') return method === 'PUT' ? mark(request) : method === 'GET' ? search(query) : undefined;
    const [iccid, what, name, , id] = path.replace('/v2.5/esims/', '').split('/').map(decodeURIComponent);
    const esim = esims.get(iccid ?? '');
    if (!esim) return forbidden;
    if (method === 'GET' && what === undefined) return shown(esim);
    if (method === 'GET' && what === 'bundles' && !name) return bundles(esim, query);
    if (method === 'GET' && what === 'compatible') return ok({ compatible: compatible(esim, name ?? '') });
    if (method === 'POST' && what === 'suspend' && !name) return setSuspended(esim, request);
    if (method === 'DELETE' && what === 'bundles') return revoke(esim, name ?? '', id ?? '', query);
    return undefined;
  }

  return { esims, newEsim, assign, answer, forbidden };
}

/** Their times have nine digits after the point. */
export const nanoseconds = (at: number): string => new Date(at).toISOString().replace('Z', '019875Z');
