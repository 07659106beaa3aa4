import type { Mode } from '../../../platform/contract/mode.ts';
import { unlinked } from '../../../platform/contract/site-address.ts';
import { memberAccess, operatorAccess } from '../../partners/people/people.ts';
import { fill, type Language, languages } from '../texts/texts.ts';

const COLUMNS = 72;

/** One line without control or invisible characters, of a length that fits a subject: names come from outside. */
export function oneLine(text: string, max = 80): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const letters = [...line];
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : line;
}

/** A name that a person typed: no mail program makes a link of it, and it is too short for a message of its own. */
export const nameLine = (name: string): string => oneLine(unlinked(oneLine(name, 60)));

/** An address on its own, and what the button that leads there says. */
interface Link {
  readonly link: string;
  readonly label: string;
}

/** A line that a person wrote. */
interface Quote {
  readonly quote: string;
}

export type Paragraph = string | Link | Quote;

const link = (address: string | URL, label: string): Link => ({ link: String(address), label });

const plain = (paragraph: Paragraph): string => {
  if (typeof paragraph === 'string') return paragraph;
  return 'link' in paragraph ? paragraph.link : `> ${paragraph.quote}`;
};

/** Paragraphs as plain text. A word that is longer than a line, such as a link, gets a line of its own and is never broken. */
export const layOut = (paragraphs: readonly Paragraph[]): string =>
  `${paragraphs.map((paragraph) => wrap(plain(paragraph))).join('\n\n')}\n`;

function wrap(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || [...longer].length <= COLUMNS) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join('\n');
}

export interface Draft {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  /** The number of a document whose PDF goes with it. */
  readonly invoice?: string;
  /** The key of a top-up whose receipt goes with it. */
  readonly receipt?: string;
  /** The sender's name, if not ours. */
  readonly from?: string | undefined;
  /** Says who sent it; without, we say so in English. */
  readonly footer?: string;
  /** Of what it says, if not English. */
  readonly language?: Language;
  /** Whose logo and colour it has, if not ours. */
  readonly partnerId?: number;
  /** The order whose eSIM it shows, with its QR code. */
  readonly esim?: EsimRef;
}

/** An order as a mail in the queue names it: what the eSIM is, and its code, are read when the mail is sent. */
export interface EsimRef {
  readonly mode: Mode;
  readonly orderId: string;
}

/** Who writes to partners and operators: the operator, by the name of their site. */
export interface Sender {
  readonly siteName: string;
  readonly panelUrl: URL;
}

interface TravellerFacts {
  /** The page of their eSIM. */
  readonly url: string;
  /** What the partner calls itself; empty: nothing. */
  readonly displayName: string;
  /** `https:` or `mailto:`; empty: none. */
  readonly supportUrl: string;
  readonly language: Language;
  readonly partnerId: number;
}

interface HelpAnswerFacts extends TravellerFacts {
  /** What a person of the partner wrote. */
  readonly answer: string;
}

interface LinkFacts {
  readonly partnerName: string;
  readonly token: string;
}

/** What the applicant typed, and the link to continue with. */
interface SignUpFacts {
  readonly name: string;
  readonly link: string;
}

/** Mails to one address that their sender knows. */
export const letters = {
  invitation: ({ partnerName, token }: LinkFacts, { panelUrl }: Sender): Draft => ({
    subject: `Your invitation to ${nameLine(partnerName)}`,
    paragraphs: [
      `You have been invited to the panel of ${nameLine(partnerName)}, where its API keys, webhooks, orders and money are managed.`,
      'Open this link to choose a password and sign in:',
      link(memberAccess.links.address(panelUrl, token), 'Choose a password'),
      'The link works once and expires after seven days. Keep it to yourself: it lets anyone who has it in.',
      'If you did not expect this invitation, you can ignore it.',
    ],
  }),
  password_link: ({ partnerName, token }: LinkFacts, { panelUrl }: Sender): Draft => ({
    subject: `Your new link to ${nameLine(partnerName)}`,
    paragraphs: [
      `Here is a new link to the panel of ${nameLine(partnerName)}. Open it to choose a new password and sign in:`,
      link(memberAccess.links.address(panelUrl, token), 'Choose a password'),
      'The link works once and expires after seven days. Keep it to yourself: it lets anyone who has it in. Earlier links no longer work.',
      'If you did not ask for a new link, tell the operator of the panel.',
    ],
  }),
  password_forgotten: ({ partnerName, token }: LinkFacts, { panelUrl }: Sender): Draft => ({
    subject: `Choose a new password for ${nameLine(partnerName)}`,
    paragraphs: [
      `Somebody, probably you, asked for a new password for the panel of ${nameLine(partnerName)}. Open this link to choose one:`,
      link(memberAccess.links.address(panelUrl, token), 'Choose a password'),
      'The link works once and expires after one hour. Your password stays as it is until you use the link.',
      'If you did not ask for it, you can ignore this mail: nothing has changed.',
    ],
  }),
  password_link_open: ({ partnerName, until }: { partnerName: string; until: string }): Draft => ({
    subject: `Choose a new password for ${nameLine(partnerName)}`,
    paragraphs: [
      `Somebody, probably you, asked for a new password for the panel of ${nameLine(partnerName)}.`,
      `You have already been given a one-time link, which works until ${until} UTC. Please use that one, or ask the operator of the panel for another.`,
      'If you did not ask for it, you can ignore this mail: nothing has changed.',
    ],
  }),
  operator_invitation: ({ token }: Pick<LinkFacts, 'token'>, { panelUrl, siteName }: Sender): Draft => ({
    subject: 'Your invitation to the operator console',
    paragraphs: [
      `You have been invited to the console of ${siteName}, where partners, orders, prices and money are managed.`,
      'Open this link to choose a password and sign in:',
      link(operatorAccess.links.address(panelUrl, token), 'Choose a password'),
      'The link works once and expires after seven days. Keep it to yourself: it lets anyone who has it in.',
      'If you did not expect this invitation, you can ignore it.',
    ],
  }),
  operator_link: ({ token }: Pick<LinkFacts, 'token'>, { panelUrl, siteName }: Sender): Draft => ({
    subject: 'Your new link to the operator console',
    paragraphs: [
      `Here is a new link to the console of ${siteName}. Open it to choose a new password and sign in:`,
      link(operatorAccess.links.address(panelUrl, token), 'Choose a password'),
      'The link works once and expires after seven days. Keep it to yourself: it lets anyone who has it in. Earlier links no longer work.',
      'If you did not ask for a new link, tell another operator: somebody with access to the server or the console made it.',
    ],
  }),
  break_glass: (
    { who, place, from, at }: { who: string; place: string; from: string; at: string },
    { siteName }: Sender,
  ): Draft => ({
    subject: `Signed in with a password: ${oneLine(who)}`,
    paragraphs: [
      `${oneLine(who)} has signed in to ${nameLine(place)} at ${siteName} with a password, at ${at} UTC from ${from || 'an unknown address'}.`,
      'Everybody else has to come by single sign-on; this way in is for the day when that fails.',
      'If that was not them, change the password and the second factor at once, or choose somebody else for it.',
    ],
  }),
  proposal: (
    { who, words, until }: { who: string; words: string; until: string },
    { panelUrl, siteName }: Sender,
  ): Draft => ({
    subject: `To approve: ${oneLine(words, 100)}`,
    paragraphs: [
      `${oneLine(who)} has proposed in the console of ${siteName}:`,
      ...quoted(words),
      `It is carried out once another operator approves it. It expires at ${until} UTC. Approve or reject it here:`,
      link(new URL('/operator/proposals', panelUrl), 'Look at the proposal'),
    ],
  }),
  command_above_limit: (
    { who, words, limit }: { who: string; words: string; limit: string },
    { panelUrl, siteName }: Sender,
  ): Draft => ({
    subject: `At the command line: ${oneLine(words, 100)}`,
    paragraphs: [
      `${oneLine(who)} has done this at the command line of the server of ${siteName}:`,
      ...quoted(words),
      `Above ${limit} USD the console would have asked for a second operator. The command line does not; the audit log has the details:`,
      link(new URL('/operator/audit', panelUrl), 'Open the audit log'),
    ],
  }),
  sign_up: ({ name, link: url }: SignUpFacts, { siteName }: Sender): Draft => ({
    subject: `Confirm your sign-up at ${siteName}`,
    paragraphs: [
      `Hello ${nameLine(name)},`,
      `Somebody, probably you, signed up at ${siteName} with this address. Open this link to continue:`,
      link(url, 'Confirm your address'),
      'The link works once and expires after one day.',
      'If you did not sign up, you can ignore this mail: without the link no account is opened.',
    ],
  }),
  sign_up_known: ({ name }: Pick<SignUpFacts, 'name'>, { panelUrl, siteName }: Sender): Draft => ({
    subject: `Your account at ${siteName}`,
    paragraphs: [
      `Hello ${nameLine(name)},`,
      `Somebody, probably you, signed up at ${siteName} with this address, which already has an account. Sign in here:`,
      link(new URL('/sign-in', panelUrl), 'Sign in'),
      'If you forgot your password, ask for a new one on that page.',
      'If you did not sign up, you can ignore this mail: nothing has changed.',
    ],
  }),
  sign_up_approved: ({ name, link: url }: SignUpFacts, { siteName }: Sender): Draft => ({
    subject: `Your account at ${siteName} is ready`,
    paragraphs: [
      `Hello ${nameLine(name)},`,
      'Your sign-up has been approved. Open this link to choose a password; your account is opened at once:',
      link(url, 'Choose a password'),
      'The link works once and expires after seven days. Keep it to yourself: it lets anyone who has it in.',
    ],
  }),
  sign_up_question: (
    { name, link: url, question }: SignUpFacts & { question: string },
    { siteName }: Sender,
  ): Draft => ({
    subject: `A question about your sign-up at ${siteName}`,
    paragraphs: [
      `Hello ${nameLine(name)},`,
      'Before we decide about your sign-up, we would like to know:',
      ...quoted(question),
      'Open this link to answer. It works once and expires after seven days:',
      link(url, 'Answer'),
    ],
  }),
  sign_up_rejected: ({ name, note }: { name: string; note: string }, { siteName }: Sender): Draft => ({
    subject: `Your sign-up at ${siteName}`,
    paragraphs: [`Hello ${nameLine(name)},`, 'We cannot open an account for you. The reason:', ...quoted(note)],
  }),
  /** The page of their eSIM, with its QR code. `displayName` is empty where the partner has none, and so is `supportUrl` (`https:` or `mailto:`). */
  traveller_page: ({ url, esim, ...facts }: TravellerFacts & { esim: EsimRef }, { siteName }: Sender): Draft => {
    const { mail, install } = languages[facts.language];
    return {
      ...signedByPartner(facts, siteName, mail),
      paragraphs: [mail.here, link(url, install.title), mail.keepPrivate, ...helpAt(facts)],
      esim,
    };
  },
  help_answer: ({ answer, url, ...facts }: HelpAnswerFacts, { siteName }: Sender): Draft => {
    const { help } = languages[facts.language];
    return {
      ...signedByPartner(facts, siteName, help.mail),
      paragraphs: [...linesOf(answer), ...(url === '' ? [] : [help.mail.page, link(url, help.back)]), ...helpAt(facts)],
    };
  },
  test: (_facts: Readonly<Record<never, never>>): Draft => ({
    subject: 'Test mail',
    paragraphs: ['This is a test. If you can read it, mail is set up correctly.'],
  }),
} as const;

/** A mail to a traveller comes from the partner who sold the eSIM. */
function signedByPartner(
  { displayName, language, partnerId }: Pick<TravellerFacts, 'displayName' | 'language' | 'partnerId'>,
  siteName: string,
  { subject, subjectOf }: { readonly subject: string; readonly subjectOf: string },
): Omit<Draft, 'paragraphs'> {
  const name = nameLine(displayName);
  return {
    subject: name === '' ? subject : fill(subjectOf, { name }),
    from: name || undefined,
    footer: fill(languages[language].mail.sentBy, { name: name || siteName }),
    language,
    partnerId,
  };
}

const helpAt = ({ supportUrl, language }: Pick<TravellerFacts, 'supportUrl' | 'language'>): string[] =>
  supportUrl === '' ? [] : [fill(languages[language].mail.help, { address: supportUrl.replace(/^mailto:/, '') })];

/** What a person typed, line by line. */
export const quoted = (text: string): Quote[] => linesOf(text).map((line) => ({ quote: line }));

/** The lines of a text, without those that are empty. */
const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : oneLine(line, 4_000)));
