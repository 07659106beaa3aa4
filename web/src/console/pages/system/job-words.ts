/** What each job does, without the world in its name. */
const texts: Readonly<Record<string, string>> = {
  deliver: 'Sends webhooks',
  'abandon held': 'Gives up deliveries that were held for 7 days',
  'pull in': 'Finds deliveries that a wrong clock delayed',
  'prune bodies': 'Deletes the bodies of old deliveries',
  'remove deliveries': 'Removes old deliveries from the log',
  provision: 'Delivers orders that were deferred',
  'destroy codes': 'Destroys the activation data of eSIMs that ended long ago',
  'own keys': 'Seals activation data of earlier versions with a key per eSIM',
  'claim iccids': 'Marks ICCIDs that the previous version of the server delivered as sold',
  overdue: 'Reports orders that are overdue',
  'usage states': 'Brings the state of eSIMs up to date',
  watch: 'Reads the usage of eSIMs and sends its events',
  'airalo notices': 'Sends webhooks in Airalo’s form',
  'prune airalo notices': 'Removes old webhooks in Airalo’s form',
  'catalog changed': 'Reports changes of plans and prices to webhooks that name them',
  refund: 'Decides about refund requests',
  replace: 'Finishes replacements of eSIMs and takes the old ones back',
  autorefill: 'Buys the refills of eSIMs whose usage has reached their mark',
  'prune requests': 'Removes old calls from the request log',
  'prune supplier calls': 'Removes old calls to suppliers from orders’ trails',
  'revenue-share': 'Settles the revenue share',
  topups: 'Checks open card payments',
  'request figures': 'Removes old sums of API requests',
  'catalog sync': 'Imports suppliers’ lists',
  mail: 'Sends mail',
  'forgotten passwords': 'Answers requests for a new password',
  'tidy mails': 'Removes old mails',
  'supplier balances': 'Reads our balance at suppliers',
  'supplier figures': 'Removes old figures of calls to suppliers',
  'catalog states': 'Removes old states of the catalog',
  'price contracts': 'Removes old price contracts',
  'sales by day': 'Sums up orders by day for charts',
  invoices: 'Closes months, and settles invoices with what was paid',
  'ledger by month': 'Sums up the ledger for the trial balance',
  'ledger proof': 'Makes the proofs of the ledger that were asked for in the console',
  'service hours': 'Measures the hours of the status page',
  'prune action keys': 'Removes old keys of repeated actions',
  'sign-up mails': 'Sends the links of sign-ups',
  'unused accounts': 'Warns and closes accounts that signed up and were never used',
  'webhook recovery': 'Tries disabled webhook subscriptions again',
  'close inboxes': 'Closes inboxes of test webhooks after their hour',
  partitions: 'Makes the tables of the coming months, and drops those that are too old',
  'note successes': 'Records when jobs last succeeded',
};

/** The name of a job that runs in one world ends with that world. */
export function jobText(job: string): string {
  const [, name = job, world] = /^(.*?)(?: (live|sandbox))?$/.exec(job) ?? [];
  const text = texts[name];
  return text === undefined ? '' : world === undefined ? text : `${text} (${world})`;
}
