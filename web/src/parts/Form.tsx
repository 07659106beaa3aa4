import { type ComponentProps, useRef } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** What was typed into the fields that have a name. */
  onSubmit: (typed: FormData, form: HTMLFormElement) => unknown;
}

/** Every form. It is not submitted again while the first submission is running, so a double click is one click. */
export function Form({ onSubmit, ...form }: FormProps) {
  const isBusy = useRef(false);
  return (
    <form
      {...form}
      onSubmit={async (event) => {
        event.preventDefault();
        // Before the first await: the second click comes long before the button is drawn as loading.
        if (isBusy.current) return;
        isBusy.current = true;
        try {
          await onSubmit(new FormData(event.currentTarget), event.currentTarget);
        } finally {
          isBusy.current = false;
        }
      }}
    />
  );
}
