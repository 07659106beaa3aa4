import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type ActionInput, type ActionResult, runAction, useAction } from '../../api/actions.ts';
import type { RouteAction } from '../../api/routes.ts';
import { RoutePreview } from './RoutePreview.tsx';

interface TryThenSaveProps<N extends RouteAction> {
  /** Run with `dry-run` first, then without. */
  action: N;
  input: ActionInput<N>;
  /** Whether the fields are valid. */
  isReady?: boolean;
  /** There is nothing to fill in, so the dry run starts as soon as the dialog opens. */
  isTriedAtOnce?: boolean;
  saveLabel: string;
  isDanger?: boolean;
  close: () => void;
  /** Fields. */
  children?: ReactNode;
}

/** Exactly the previewed input is saved; any other input needs its own preview. */
export function TryThenSave<N extends RouteAction>({
  action,
  input,
  isReady = true,
  isTriedAtOnce = false,
  saveLabel,
  isDanger = false,
  close,
  children,
}: TryThenSaveProps<N>) {
  const tried = useChange((wanted: ActionInput<N>) => runAction(action, wanted));
  const save = useAction(action, ['catalog']);
  const [triedInput, setTriedInput] = useState<ActionInput<N>>();
  const isTried = triedInput !== undefined && JSON.stringify(triedInput) === JSON.stringify(input);
  const answer: ActionResult<RouteAction> | undefined = isTried ? tried.data : undefined;
  const preview = answer && 'preview' in answer ? answer : undefined;
  const start = () => {
    save.reset();
    setTriedInput(input);
    tried.mutate({ ...input, 'dry-run': true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears.
  useEffect(() => {
    if (isTriedAtOnce) start();
  }, []);
  return (
    <Form
      onSubmit={() => {
        if (preview) save.mutate(input, { onSuccess: close });
        else start();
      }}
    >
      <Stack>
        {children}
        {isTried && tried.isPending && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">Looking through the orders of the last 30 days.</Text>
          </Group>
        )}
        {preview && <RoutePreview of={preview} />}
        <Problem error={save.error ?? (isTried ? tried.error : null)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {preview ? (
            <Button type="submit" loading={save.isPending} {...(isDanger && { color: 'red' })}>
              {saveLabel}
            </Button>
          ) : (
            <Button type="submit" disabled={!isReady} loading={isTried && tried.isPending}>
              Preview
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
