import { useMergedRef } from '@mantine/hooks';
import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import classes from './Form.module.css';
import { type Field, fieldsOf, isField, messageOf } from './form-fields.ts';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** What was typed into the fields that have a name. */
  onSubmit: (typed: FormData, form: HTMLFormElement) => unknown;
}

/** What is wrong with a field. */
interface Wrong {
  readonly field: Field;
  readonly message: string;
}

/** Shows a refusal at the field it is about; false: the form has no such field. */
export const FormContext = createContext<((error: unknown) => boolean) | undefined>(undefined);

/**
 * Every form. It is not submitted again while the first submission is running, so a double click is one click. What is wrong with a field
 * stands below it, whether the browser or the server says so, and the first such field is in view and has the focus.
 */
export function Form({ onSubmit, children, ref, ...form }: FormProps) {
  const isBusy = useRef(false);
  const element = useRef<HTMLFormElement>(null);
  const both = useMergedRef(element, ref);
  const { wrong, show, clear } = useWrong(element);
  const refuse = useMemo(() => (error: unknown) => show(fieldsOf(error, element.current)), [show]);
  return (
    <form
      {...form}
      ref={both}
      onInput={({ target }: FormEvent) => clear(target)}
      onInvalid={(event: FormEvent) => {
        const { target } = event;
        if (!isField(target)) return;
        // Not in the browser's own bubble, which shows one and is gone with the next key.
        event.preventDefault();
        show([{ field: target, message: messageOf(target) }], 'too');
      }}
      onSubmit={async (event) => {
        event.preventDefault();
        // Before the first await: the second click comes long before the button is drawn as loading.
        if (isBusy.current) return;
        isBusy.current = true;
        clear();
        try {
          await onSubmit(new FormData(event.currentTarget), event.currentTarget);
        } finally {
          isBusy.current = false;
        }
      }}
    >
      <FormContext value={refuse}>{children}</FormContext>
      {wrong.map(({ field, message }) =>
        createPortal(
          <p className={classes.wrong} role="alert" id={idOf(field)}>
            {message}
          </p>,
          placeOf(field),
          idOf(field),
        ),
      )}
    </form>
  );
}

/** The fields with something wrong; each is marked for screen readers as long as it is in the list. */
function useWrong(form: RefObject<HTMLFormElement | null>) {
  const [wrong, setWrong] = useState<readonly Wrong[]>([]);
  const marked = useRef<readonly Wrong[]>([]);
  const mark = useCallback((next: readonly Wrong[]) => {
    for (const { field } of marked.current) {
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-errormessage');
    }
    for (const { field } of next) {
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute('aria-errormessage', idOf(field));
    }
    marked.current = next;
    setWrong(next);
  }, []);
  const show = useCallback(
    (found: readonly Wrong[], how?: 'too') => {
      if (found.length === 0) return false;
      const others = how ? marked.current.filter(({ field }) => !found.some((one) => one.field === field)) : [];
      const next = [...others, ...found];
      mark(next);
      const order = [...(form.current?.elements ?? [])];
      const first = next.map(({ field }) => field).sort((a, b) => order.indexOf(a) - order.indexOf(b))[0];
      first?.focus({ preventScroll: true });
      first?.scrollIntoView({ block: 'center' });
      return true;
    },
    [form, mark],
  );
  const clear = useCallback(
    (field?: EventTarget) => {
      const left = field ? marked.current.filter((one) => one.field !== field) : [];
      if (left.length < marked.current.length) mark(left);
    },
    [mark],
  );
  return { wrong, show, clear };
}

const ids = new WeakMap<Field, string>();
let count = 0;

function idOf(field: Field): string {
  const id = ids.get(field) ?? `wrong-${++count}`;
  ids.set(field, id);
  return id;
}

/** Below the field, inside what holds its label and description. */
const placeOf = (field: Field): Element =>
  field.closest('.mantine-InputWrapper-root') ?? field.parentElement ?? document.body;
