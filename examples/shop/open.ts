import { join } from 'node:path';
import { Catalog } from './catalog.ts';
import { demoKey } from './demo-key.ts';
import { Devices } from './devices.ts';
import type { Shop } from './orders.ts';
import { SimulatedCards } from './payments.ts';
import { Wayfare } from './sdk.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';
import { Store } from './store.ts';

export interface OpenShop extends Shop {
  readonly payments: SimulatedCards;
  readonly devices: Devices;
  readonly isSandbox: boolean;
}

/** The parts of the shop, put together. This is where another payment provider goes. */
export async function openShop({ key: given, apiUrl, folder }: Settings): Promise<OpenShop> {
  const key = given ?? (await demoKey(folder, apiUrl));
  const isSandbox = key.startsWith('esk_test_');
  const wayfare = new Wayfare({ key, baseUrl: apiUrl, userAgent: 'example-shop' });
  const store = new Store(join(folder, isSandbox ? 'sandbox.db' : 'live.db'));
  const payments = new SimulatedCards(store.db);
  return { store, wayfare, payments, catalog: new Catalog(wayfare), devices: new Devices(wayfare), isSandbox };
}

/** The shop as the environment configures it. A wrong setting ends the program with one sentence. */
export async function openFrom(env: NodeJS.ProcessEnv): Promise<{ settings: Settings; shop: OpenShop }> {
  try {
    const settings = readSettings(env);
    return { settings, shop: await openShop(settings) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
