/**
 * What the traveller's page says, and the mail that brings its link. Each language has a file of its own; one that leaves something out
 * does not compile. `{…}` is replaced: by a place, an amount of data, a time, a name.
 */
const english = {
  /** BCP 47, for `lang`, numbers, dates and names of countries. */
  locale: 'en',
  dir: 'ltr',
  name: 'English',
  /** The label of the language menu. */
  language: 'Language',
  title: 'Your eSIM for {place}',
  testNotice: 'This is a test eSIM. It cannot be installed.',
  data: 'Data',
  validity: 'Validity',
  unlimited: 'Unlimited',
  states: { not_active: 'Ready', active: 'Active', depleted: 'Data used up', expired: 'Ended' },
  usage: {
    title: 'Your data',
    left: '{left} of {total} left',
    used: '{used} used',
    timeLeft: 'Time left',
    validUntil: 'Valid until',
    /** When the figures were read. */
    asOf: 'As of {time}',
    /** The same when that was long ago, or when there is no connection. */
    old: 'These figures may be out of date. They are from {time}.',
    startsOnUse: 'Nothing used yet. Your time starts when the eSIM first connects at your destination.',
    startsOnInstall: 'Nothing used yet. Your time starts when you install the eSIM.',
    depleted: 'You have used all your data.',
    expired: 'This plan has ended.',
    /** A link to the partner's shop. */
    refill: 'Add data',
  },
  install: {
    title: 'Install your eSIM',
    /** The same part of the page once the eSIM is in use, folded away. */
    again: 'Installation details',
    before:
      'You need an internet connection, ideally Wi-Fi. An eSIM installs only once, so don’t delete it afterwards.',
    phone: 'Your phone',
    iphone: {
      button: 'Install on iPhone',
      needs: 'iOS 17.4 or later. On older versions, use the QR code or the codes on this page.',
      steps: [
        'Tap “Install on iPhone” and follow the instructions.',
        'Name the new line “Travel” and keep your own number for calls and messages.',
        'When you arrive, open Settings › Cellular (or Mobile Service), choose the eSIM, and turn on the line and Data Roaming.',
        'Tap Cellular Data (or Mobile Data) and choose the eSIM.',
      ],
    },
    android: {
      button: 'Install on Android',
      needs: 'If nothing happens, use the QR code or the codes on this page.',
      steps: [
        'Tap “Install on Android” and follow the instructions.',
        'Name the new SIM “Travel” and keep your own number for calls and messages.',
        'When you arrive, open Settings › Network & internet › SIMs (Samsung: Connections › SIM manager) and turn on the eSIM.',
        'Choose the eSIM for mobile data and turn on roaming for it.',
      ],
    },
  },
  qr: {
    title: 'Scan the QR code',
    /** Read on a computer. */
    scan: 'Point your phone’s camera at the code and follow the instructions.',
    /** Read on the phone that would have to scan its own screen. */
    elsewhere: 'Open this page on another screen, or print it, and scan the code with your phone’s camera.',
    label: 'QR code that installs the eSIM',
  },
  /** Whether a phone takes eSIMs, by our list of models. */
  device: {
    title: 'Does your phone take eSIMs?',
    model: 'Your phone’s model',
    check: 'Check',
    /** Above the models that match. */
    found: 'These models take eSIMs',
    more: 'And {count} more. Type more of the name.',
    missing: 'Not on our list',
    sure: 'The variants of some countries have none, and new models may be missing here. To be sure, dial *#06# on the phone: if it shows an EID, it takes eSIMs. It must not be locked to an operator.',
  },
  manual: {
    title: 'Enter the codes yourself',
    smdp: 'SM-DP+ address',
    activation: 'Activation code',
    confirmation: 'Confirmation code',
    whole: 'Full code, for phones that ask for one',
    copy: 'Copy',
    copied: 'Copied',
  },
  connect: {
    title: 'When you arrive',
    roamingOn: 'Turn on data roaming for this eSIM. It costs nothing extra.',
    roamingOff: 'You don’t need data roaming for this eSIM.',
    apnAutomatic: 'The APN is set automatically.',
    apn: 'If there is no internet, set this APN for the eSIM:',
    trouble: 'No internet?',
    tries: [
      'Check that mobile data uses this eSIM and that roaming is on.',
      'Turn airplane mode on for ten seconds, then off again.',
      'Restart your phone.',
    ],
  },
  support: 'Get help',
  supportOf: 'Contact {name}',
  keepPrivate: 'Keep this page to yourself: anyone with the link can install your eSIM.',
  noTracking: 'No cookies, no tracking.',
  /** The mail that brings the link to the page. */
  mail: {
    subject: 'Your eSIM',
    subjectOf: 'Your eSIM from {name}',
    here: 'Here is your eSIM. The page shows how to install it, and later how much data is left:',
    keepPrivate: 'Keep the link to yourself: anyone who has it can install the eSIM.',
    help: 'Help: {address}',
    sentBy: 'Sent by {name}.',
  },
  /** "It doesn't work": the question, the answers (`domains/travellers/help/decision.ts`), and asking for help. */
  help: {
    /** On the page of the eSIM. */
    button: 'It doesn’t work',
    question: 'What does your phone show?',
    symptoms: {
      cannot_install: 'The eSIM can’t be installed',
      not_listed: 'I can’t find the eSIM on my phone',
      no_signal: 'No service',
      no_internet: 'Signal, but no internet',
      slow: 'The internet is very slow',
      other: 'Something else',
    },
    steps: {
      wait: {
        title: 'Your new eSIM is on its way',
        text: 'It is usually ready within a few minutes. Open this page again a little later.',
      },
      plan_ended: {
        title: 'Your plan has ended',
        text: 'Its time is over, so it no longer connects. To get back online you need a new eSIM.',
      },
      paused: {
        title: 'This eSIM is paused',
        text: 'It cannot connect until it is turned on again. Ask for help, and we will look into it.',
      },
      removed: {
        title: 'The eSIM was deleted from the phone',
        text: 'An eSIM installs only once, so it cannot be put back. You need a new one: ask for help.',
      },
      already_installed: {
        title: 'The eSIM is already installed',
        text: 'An eSIM installs only once. Look for it in the settings of the phone it was installed on, and turn it on there.',
      },
      retry_install: {
        title: 'Enter the codes yourself',
        text: 'Connect to Wi-Fi and restart your phone. Then open the page of your eSIM, choose “Enter the codes yourself” and copy the codes into the phone’s eSIM settings.',
      },
      install: {
        title: 'Install the eSIM',
        text: 'It does not seem to be on your phone yet. You need Wi-Fi and about two minutes.',
      },
      not_covered: {
        title: 'Your plan does not cover this country',
        text: 'The eSIM was last seen in a country where your plan does not work. It works in: {place}.',
      },
      add_data: { title: 'Your data is used up', text: 'The eSIM connects again as soon as data is added.' },
      outage: {
        title: 'There seems to be a disruption',
        text: 'The network does not answer us at the moment, so it is probably not your phone. Leave the eSIM turned on and check again in half an hour.',
      },
      switch_on: { title: 'Turn on the eSIM', text: 'It is installed, but your phone is not using it.' },
      set_apn: {
        title: 'Set the APN',
        text: 'In the settings of the eSIM, open Mobile Data Network (Android: Access point names), enter this APN, and restart your phone.',
      },
      turn_on_data: {
        title: 'Use the eSIM for mobile data',
        text: 'Your phone is connected, but sends its data another way.',
      },
      find_network: {
        title: 'Let your phone search for a network',
        text: 'Turn airplane mode on for ten seconds, then off again. Still no service? In the settings of the eSIM, turn off automatic network selection and choose another network.',
      },
      speed_up: {
        title: 'Connect again',
        text: 'Turn airplane mode on for ten seconds, then off again. Still slow? In the settings of the eSIM, turn off automatic network selection and choose another network: this one may be busy.',
      },
      ask: {
        title: 'We need to look into it',
        text: 'We can’t see from here what is wrong. Ask for help, and tell us what happens.',
      },
    },
    notSolved: 'That didn’t help',
    otherProblem: 'Something else is wrong',
    back: 'Back to your eSIM',
    ask: {
      title: 'Ask for help',
      text: 'We send along what we know about your eSIM, so you don’t have to explain it.',
      email: 'Your email address, for our answer (optional)',
      message: 'What happens? (optional)',
      send: 'Send',
      invalidEmail: 'This email address is not valid.',
      tooLong: 'This is too long: at most {count} characters.',
    },
    sent: { title: 'Your request has been sent', text: 'If you gave an email address, the answer will be sent there.' },
    /** Three requests were sent today. */
    limit: {
      title: 'You have already asked three times today',
      text: 'Your requests have arrived. You can send another one tomorrow.',
    },
    /** The form is too old, or was sent from another site. */
    sendAgain: 'Please send it once more.',
    replace: {
      title: 'Get a new eSIM',
      text: 'You can have a new eSIM at once, free of charge. This one stops working.',
      button: 'Get a new eSIM',
    },
    replaced: {
      title: 'Your new eSIM is ready',
      text: 'Install it from its page, as you did with the first one. The address of the page stays the same.',
    },
    replaceRequested: {
      title: 'Your new eSIM has been requested',
      text: 'It appears on the page of your eSIM as soon as it is approved.',
    },
    notReplaced: { title: 'A new eSIM is not possible', text: 'Ask for help, and we will look into it.' },
    /** The mail that answers a request. */
    mail: { subject: 'About your eSIM', subjectOf: 'About your eSIM from {name}', page: 'The page of your eSIM:' },
  },
  missing: {
    title: 'This page is not available',
    text: 'The link may be incomplete or no longer valid. Ask the company that sold you the eSIM for a new one.',
  },
  regions: { 'middle-east': 'Middle East', global: 'Worldwide' },
} as const;

type Wide<T> = T extends string ? string : { readonly [K in keyof T]: Wide<T[K]> };

export interface Texts extends Omit<Wide<typeof english>, 'dir' | 'regions'> {
  readonly dir: 'ltr' | 'rtl';
  /** Destinations that are not countries, where Unicode has no name for them or another one than people use. */
  readonly regions: Record<keyof typeof english.regions, string> & Readonly<Record<string, string>>;
}

export const en: Texts = english;
