import type { TSchema } from 'typebox';
import type { Services } from '../../src/entry/api/endpoint.ts';
import { consoleActions } from '../../src/entry/console/api.ts';
import { panelActions } from '../../src/entry/panel/api.ts';
import type { Base } from '../../src/worlds/base.ts';
import { changeHeaders } from './api-shots.ts';
import type { Cast } from './cast.ts';
import { pair, percent } from './encode.ts';
import { BROKEN_JSON, bodyOf, FILTERS, latin, wordFor } from './json-values.ts';
import type { Kind } from './known.ts';
import type { Shot } from './shot.ts';
import { type Care, type Drawing, hostile } from './values.ts';

interface Address {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly body?: TSchema | undefined;
  readonly signedIn: boolean;
}

/**
 * Not drawn, because little else would happen in the rest of a run: sessions and the caller's own password; a proof of the
 * whole ledger for every call; hashing passwords, which is slow on purpose.
 */
const LEFT_OUT = [
  /\/(password|end-others|end|sign-out|confirm)$/,
  /\/run\/(audit|settle)/,
  /\/sign-in$/,
  /\/welcome/,
  /second-factor/,
  /passkey/,
  /\/sso(\/|$)/,
  /\/export/,
];

/** What takes keys, people and partners away is drawn rarely: the rest of the part would be about nothing else. */
const RARE = /revoke|remove|delete|partner\/set|key\/set|member\/set|operator\/set|role$|keys\/\{id\}/;

const readable = (address: Address) => !LEFT_OUT.some((pattern) => pattern.test(address.path));

/** Every address of the panel and the console that is declared with its body. */
export class Addresses {
  readonly #panel: readonly Address[];
  readonly #console: readonly Address[];

  constructor(base: Base) {
    this.#panel = [...(panelActions(base, {} as Services) as readonly Address[])].filter(readable);
    this.#console = [...(consoleActions(base, {} as Services) as readonly Address[])].filter(readable);
  }

  draw(drawing: Drawing, cast: Cast): Shot {
    const { dice } = drawing;
    const ofMembers = dice.chance(50);
    const addresses = ofMembers ? this.#panel : this.#console;
    const first = dice.of(addresses);
    const address = RARE.test(first.path) && dice.chance(95) ? dice.of(addresses) : first;
    const cookie = dice.of(ofMembers ? cast.members : cast.operators);
    const care: Care = dice.chance(45) ? 'valid' : dice.chance(55) ? 'near' : 'hostile';
    const isBare = dice.chance(3) && address.signedIn;
    const { verb } = address;
    const query = verb === 'GET' ? queryOf(drawing, care) : [];
    const body = verb === 'POST' && address.body ? [latin(JSON.stringify(bodyOf(drawing, care, address)))] : undefined;
    return {
      target: 'panel',
      method: verb,
      path: pathOf(drawing, care, address.path),
      headers: [
        ...(isBare ? [] : [['cookie', cookie] as const]),
        ...(verb === 'POST' ? changeHeaders(drawing.number) : []),
        ...(body
          ? [['content-type', care === 'hostile' && dice.chance(5) ? 'text/plain' : 'application/json'] as const]
          : []),
      ],
      query,
      body: body && care === 'hostile' && dice.chance(15) ? [latin(dice.of(BROKEN_JSON))] : body,
      json: true,
      ...(isBare && { mustBeRefused: true }),
    };
  }
}

/** What an id in a path is of, by the word before it. */
const BY_WORD: Readonly<Record<string, Kind>> = {
  orders: 'order',
  webhooks: 'subscription',
  deliveries: 'delivery',
  partners: 'partner',
  statements: 'partner',
  keys: 'key',
  members: 'member',
  requests: 'request',
  plans: 'product',
  routes: 'product',
  product: 'product',
  topups: 'payment',
  esims: 'iccid',
  iccid: 'iccid',
};

function pathOf(drawing: Drawing, care: Care, path: string): string {
  const { dice, known } = drawing;
  return path
    .replaceAll('{mode}', () => (care === 'hostile' && dice.chance(5) ? 'neither' : dice.of(['live', 'sandbox'])))
    .replaceAll('{month}', () =>
      care === 'valid' ? '2026-11' : percent(dice.of(['2026-13', '0000-00', '9999-12', '2026-1', hostile(drawing)])),
    )
    .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, word: string) => {
      if (care === 'hostile' && dice.chance(40)) return `${word}/${percent(hostile(drawing)).slice(0, 3_000)}`;
      return `${word}/${percent(known.one(dice, BY_WORD[word] ?? 'id') ?? String(1 + dice.below(30)))}`;
    });
}

function queryOf(drawing: Drawing, care: Care): string[] {
  const { dice } = drawing;
  return Array.from({ length: dice.below(care === 'valid' ? 3 : 5) }, () => dice.of(FILTERS)).flatMap((name) =>
    pair(dice, care, name, wordFor(drawing, care, name)),
  );
}
