import { simulatedCards } from '../../../../src/domains/billing/topups/cards.ts';
import { fakeCards } from '../../../../src/worlds/sandbox.ts';
import { cardsSuite, payerSuite } from '../../../suites/cards.ts';
import { testApp } from '../../../support/program/app.ts';

async function simulated() {
  const t = await testApp();
  const cards = simulatedCards(t.base.worlds.live.db);
  return {
    cards,
    pay: async (id: string) => void (await cards.pay(id)),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

cardsSuite('simulated', simulated);
payerSuite('simulated', simulated);
cardsSuite('sandbox', async () => ({ cards: fakeCards, pay: async () => {}, async [Symbol.asyncDispose]() {} }));
