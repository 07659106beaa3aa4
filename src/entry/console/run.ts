import type { Action } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';
import { type Fields, InvalidInput, readFields, reasonText, type Values } from '../../actions/fields.ts';
import { plain } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { Type } from '../../platform/contract/schema.ts';
import { operatorChange } from './action.ts';
import { carryOut, type Guarded } from './four-eyes.ts';

/** Unless the field takes more. */
const LONGEST_TEXT = 1_000;
/** Text for each field, true for a switch. */
const actionInput = Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 8_000 }), Type.Boolean()]));

/**
 * Each action that the console may run, at `/operator/api/run/` and its words. `ok: false` in a result is a result, not a refusal.
 */
export const runActions = actions.flatMap((action) => {
  const { name, console: rule } = action;
  if (rule === 'shown' || 'never' in rule) return [];
  return operatorChange(`/operator/api/run/${name.replaceAll(' ', '/')}`, {
    ...rule,
    body: Type.Object({ input: actionInput }),
    async handle(call, { input: given }) {
      const guarded = guardedOf(action);
      if (!guarded) {
        const result = await withInput(action, given, (input) => action.run(call.context, input));
        return { body: { result: plain(result) } };
      }
      const done = await carryOut(call, guarded, given);
      return { body: 'proposal' in done ? done : { result: plain(done.result) } };
    },
  });
});

type Given = Readonly<Record<string, string | boolean>>;

/** An action that a second operator may have to approve. */
function guardedOf(action: Action): Guarded<Given> | undefined {
  const { name, console: rule, fourEyes, args = {} } = action;
  if (!fourEyes || rule === 'shown' || 'never' in rule) return undefined;
  /** The name of an argument may be short; its placeholder says what it is: `ORDER_ID`. */
  const shownName = (field: string): string => {
    const { placeholder = '' } = args[field] ?? {};
    return label(/^[A-Z]+_ID$/.test(placeholder) ? placeholder.toLowerCase() : field);
  };
  return {
    name,
    may: rule.may,
    isSlow: fourEyes.isSlow,
    subject: (context, given) => withInput(action, given, (input) => fourEyes.subject(context, input)),
    hold: (tx, given) => withInput(action, given, (input) => fourEyes.hold?.(tx, input)),
    run: (context, given) => withInput(action, given, (input) => action.run(context, input)),
    shown: (given) =>
      Object.fromEntries(
        Object.entries(given).flatMap(([field, value]) =>
          value === false || value === '' ? [] : [[shownName(field), value === true ? 'yes' : value]],
        ),
      ),
  };
}

export const guardedActions: readonly Guarded[] = actions.flatMap((action) => guardedOf(action) ?? []);

type Form<A extends Fields, O extends Fields> = Pick<Action<string, Action['console'], A, O>, 'args' | 'options'>;

/** Reads the fields that a page sent, and runs `work` with them. What cannot be used is refused in the words of a page. */
export async function withInput<T, A extends Fields = Record<never, never>, O extends Fields = Record<never, never>>(
  form: Form<A, O>,
  given: Readonly<Record<string, string | boolean>>,
  work: (input: Values<A> & Values<O>) => T | Promise<T>,
): Promise<T> {
  const fields = { ...form.args, ...form.options } as A & O;
  try {
    return await work(readFields(fields, textsOf(fields, given)) as Values<A> & Values<O>);
  } catch (error) {
    throw error instanceof InvalidInput ? new Refused('invalid_input', onPage(form, error)).about(error.field) : error;
  }
}

function textsOf(fields: Fields, given: Readonly<Record<string, string | boolean>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) throw new Refused('invalid_input', `there is no field “${name.slice(0, 40)}”`);
    if (value === false || value === '') continue;
    if ((value === true) !== field.isSwitch)
      throw new Refused('invalid_input', `${label(name)} ${field.isSwitch ? 'is a switch' : 'needs a value'}`);
    const { longest = LONGEST_TEXT } = field;
    if (value !== true && value.length > longest)
      throw new Refused('invalid_input', `${label(name)} has more than ${longest} characters`).about(name);
    texts[name] = value === true ? '' : value;
  }
  return texts;
}

/** A page has labels where the command line has options and placeholders: `--on-sale` is “on sale”, `ORDER_ID` an order id. */
function onPage({ args = {} }: { readonly args?: Fields }, { field, reason }: InvalidInput): string {
  const named = (name: string): string => {
    const arg = args[name];
    return arg ? words(arg.placeholder.toLowerCase()) : `“${words(name)}”`;
  };
  if (field === undefined) return reasonText(reason, named);
  return `${label(field)}${typeof reason === 'string' ? ' ' : ': '}${reasonText(reason, named)}`;
}

const words = (name: string): string => name.replaceAll(/[-_]/g, ' ');
const label = (name: string): string => words(name).replace(/^./, (first) => first.toUpperCase());

const MB = 1024 * 1024;

/** The text of a file that a page sends, with the fields of its form. Reading more at once would make requests wait. */
export const upload = (maxMb: number) => ({
  // A string in JSON has up to twice the bytes of its text: every quote and every line break is two.
  maxBytes: 2 * maxMb * MB + 16 * 1024,
  body: Type.Object({ input: actionInput, text: Type.String() }),
  /** Throws if the file is too large. */
  requireShort(text: string): void {
    if (Buffer.byteLength(text) > maxMb * MB)
      throw new Refused('invalid_input', `the file is larger than ${maxMb} MB; the command line takes any size`);
  },
});
