import type { Endpoint } from './endpoint.ts';
import { balance } from './endpoints/account/balance.ts';
import { history } from './endpoints/account/history.ts';
import { limits } from './endpoints/account/limits.ts';
import { pricing } from './endpoints/account/pricing.ts';
import { profitshare } from './endpoints/account/profitshare.ts';
import { sandboxBalance } from './endpoints/account/sandboxBalance.ts';
import { sandboxReset } from './endpoints/account/sandboxReset.ts';
import { statement } from './endpoints/account/statement.ts';
import { topup } from './endpoints/account/topup.ts';
import { topupConfirm } from './endpoints/account/topupConfirm.ts';
import { changes } from './endpoints/catalog/changes.ts';
import { countries } from './endpoints/catalog/countries.ts';
import { devices } from './endpoints/catalog/devices.ts';
import { wholeCatalog } from './endpoints/catalog/export.ts';
import { product } from './endpoints/catalog/product.ts';
import { products } from './endpoints/catalog/products.ts';
import { autorefill } from './endpoints/esim/autorefill.ts';
import { detail as esimDetail } from './endpoints/esim/detail.ts';
import { list as esimList } from './endpoints/esim/list.ts';
import { refills } from './endpoints/esim/refills.ts';
import { replace } from './endpoints/esim/replace.ts';
import { resume as resumeEsim } from './endpoints/esim/resume.ts';
import { suspend } from './endpoints/esim/suspend.ts';
import { invoiceDetail } from './endpoints/invoice/detail.ts';
import { invoiceList } from './endpoints/invoice/list.ts';
import { invoicePdf } from './endpoints/invoice/pdf.ts';
import { invoiceXml } from './endpoints/invoice/xml.ts';
import { cancel } from './endpoints/order/cancel.ts';
import { detail } from './endpoints/order/detail.ts';
import { get } from './endpoints/order/get.ts';
import { refund } from './endpoints/order/refund.ts';
import { usage } from './endpoints/order/usage.ts';
import { batch } from './endpoints/purchase/batch.ts';
import { batchById } from './endpoints/purchase/batch-by-id.ts';
import { buy } from './endpoints/purchase/buy.ts';
import { quote } from './endpoints/purchase/quote.ts';
import { refill } from './endpoints/purchase/refill.ts';
import { clock } from './endpoints/sandbox/clock.ts';
import { rehearse } from './endpoints/sandbox/invoice.ts';
import { profile } from './endpoints/sandbox/profile.ts';
import { create } from './endpoints/webhook/create.ts';
import { deleteSubscription } from './endpoints/webhook/delete.ts';
import { deliveries } from './endpoints/webhook/deliveries.ts';
import { list } from './endpoints/webhook/list.ts';
import { pause } from './endpoints/webhook/pause.ts';
import { probe } from './endpoints/webhook/probe.ts';
import { resume } from './endpoints/webhook/resume.ts';
import { rotate } from './endpoints/webhook/rotate.ts';
import { test } from './endpoints/webhook/test.ts';
import { update } from './endpoints/webhook/update.ts';

/** Every endpoint of the API. To add one, declare it in a file at its path, and add a line here. */
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
  limits,
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
  replace,
  autorefill,
  suspend,
  resumeEsim,
  create,
  update,
  pause,
  resume,
  rotate,
  deleteSubscription,
  invoiceList,
  invoiceDetail,
  invoicePdf,
  invoiceXml,
  clock,
  rehearse,
  profile,
];
