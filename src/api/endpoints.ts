import { balance } from './account/balance.ts';
import { history } from './account/history.ts';
import { pricing } from './account/pricing.ts';
import { profitshare } from './account/profitshare.ts';
import { sandboxBalance } from './account/sandboxBalance.ts';
import { sandboxReset } from './account/sandboxReset.ts';
import { statement } from './account/statement.ts';
import { topup } from './account/topup.ts';
import { topupConfirm } from './account/topupConfirm.ts';
import { changes } from './catalog/changes.ts';
import { countries } from './catalog/countries.ts';
import { devices } from './catalog/devices.ts';
import { wholeCatalog } from './catalog/export.ts';
import { product } from './catalog/product.ts';
import { products } from './catalog/products.ts';
import type { Endpoint } from './endpoint.ts';
import { detail as esimDetail } from './esim/detail.ts';
import { list as esimList } from './esim/list.ts';
import { refills } from './esim/refills.ts';
import { cancel } from './order/cancel.ts';
import { detail } from './order/detail.ts';
import { get } from './order/get.ts';
import { refund } from './order/refund.ts';
import { usage } from './order/usage.ts';
import { batch } from './purchase/batch.ts';
import { batchById } from './purchase/batch-by-id.ts';
import { buy } from './purchase/buy.ts';
import { quote } from './purchase/quote.ts';
import { refill } from './purchase/refill.ts';
import { clock } from './sandbox/clock.ts';
import { create } from './webhook/create.ts';
import { deleteSubscription } from './webhook/delete.ts';
import { deliveries } from './webhook/deliveries.ts';
import { list } from './webhook/list.ts';
import { pause } from './webhook/pause.ts';
import { probe } from './webhook/probe.ts';
import { resume } from './webhook/resume.ts';
import { rotate } from './webhook/rotate.ts';
import { test } from './webhook/test.ts';
import { update } from './webhook/update.ts';

/** Every endpoint of the API. To add one, write a file at its path and a line here. */
export const endpoints: readonly Endpoint[] = [
  countries,
  products,
  product,
  wholeCatalog,
  changes,
  devices,
  buy,
  get,
  detail,
  usage,
  refund,
  cancel,
  balance,
  history,
  statement,
  profitshare,
  pricing,
  topup,
  topupConfirm,
  sandboxBalance,
  sandboxReset,
  list,
  deliveries,
  test,
  probe,
  quote,
  refill,
  batch,
  batchById,
  esimList,
  esimDetail,
  refills,
  create,
  update,
  pause,
  resume,
  rotate,
  deleteSubscription,
  clock,
];
