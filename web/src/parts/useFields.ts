import { useLayoutEffect, useRef } from 'react';

/**
 * For a form whose fields keep their text until it is sent, because while a year is typed, browsers report a wrong date after each digit.
 * When a value changes from elsewhere (Clear, the browser's back button), the fields follow it.
 *
 * `choices` is how many the selects offer. Choices that load later reset only the selects, which could not take their value
 * before: something may have been typed into the other fields.
 */
export function useFields(values: Readonly<Record<string, string>>, choices = 0) {
  const form = useRef<HTMLFormElement>(null);
  const shown = JSON.stringify(values);
  // In the layout phase: a passive effect may run only when somebody has already chosen, and would undo the choice.
  useLayoutEffect(() => {
    for (const [field, value] of fields(form.current, shown)) field.value = value;
  }, [shown]);
  useLayoutEffect(() => {
    if (choices === 0) return;
    for (const [field, value] of fields(form.current, shown))
      if (field instanceof HTMLSelectElement) field.value = value;
  }, [shown, choices]);
  return form;
}

/** Each field there is, with its value. */
function* fields(form: HTMLFormElement | null, shown: string) {
  for (const [name, value] of Object.entries<string>(JSON.parse(shown))) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) yield [field, value] as const;
  }
}
