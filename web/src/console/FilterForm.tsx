import { Button, Group } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { useFilters } from '../useFilters.ts';

interface FilterFormProps {
  filters: ReturnType<typeof useFilters>;
  /** The names of the fields, in the address too. */
  names: readonly string[];
  /** Becomes true when the choices of selects have come: until then they cannot take a value. */
  isReady: boolean;
  /** Fields with these names; a select calls `choose` when it changes. */
  children: (choose: (event: { currentTarget: HTMLSelectElement }) => void) => ReactNode;
}

/** Filters over a list. The fields keep what is typed until it is sent; when the address changes from elsewhere, they follow it. */
export function FilterForm({ filters: { of, filter }, names, isReady, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const given = names.map((name) => of(name) ?? '');
  const address = given.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what the values depend on.
  useLayoutEffect(() => {
    for (const [i, name] of names.entries()) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = given[i] ?? '';
    }
  }, [address, isReady]);
  const send = (typed: FormData) =>
    filter(Object.fromEntries(names.map((name) => [name, String(typed.get(name) ?? '').trim()])));
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget));
      }}
    >
      <Group gap="xs" px="lg" pb="md" align="flex-end">
        {children((event) => event.currentTarget.form?.requestSubmit())}
        <Button type="submit" size="xs">
          Search
        </Button>
        {given.some((value) => value !== '') && (
          <Button
            size="xs"
            variant="default"
            onClick={() => filter(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
