import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import type { RouteObject } from 'react-router';
import { Page } from './Page.tsx';
import { isServerThere } from './server/client.ts';
import { reportAway } from './server/reach.ts';
import { useAwaySince } from './server/useAwaySince.ts';

/*
 * Code that is fetched when it is first needed. If the server is away then, the place stays and fills itself once the server is back. If
 * the server was updated meanwhile, the code of this version is gone: the page is loaded again, as the new version has it.
 */

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A route whose code is fetched when it is first visited. */
export const page = <Props extends object>(path: string, load: Load<Props>): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load().catch(() => onceLoaded(load, <NotLoadedYet />))) as ComponentType }),
});

/** A part of a page whose code is fetched when it is first shown. */
export const part = <Props extends object>(load: Load<Props>) =>
  lazy(async () => ({ default: await load().catch(() => onceLoaded(load)) }));

const onceLoaded =
  <Props extends object>(load: Load<Props>, meanwhile?: ReactNode) =>
  (props: Props) => <OnceLoaded load={load as Load<object>} props={props} meanwhile={meanwhile} />;

interface OnceLoadedProps {
  load: Load<object>;
  props: object;
  meanwhile: ReactNode;
}

function OnceLoaded({ load, props, meanwhile }: OnceLoadedProps) {
  const [Found, setFound] = useState<ComponentType<object>>();
  const [failure, setFailure] = useState<Error>();
  const isAway = useAwaySince() !== undefined;
  useEffect(() => {
    if (isAway) return;
    load().then(
      (component) => setFound(() => component),
      async (error: Error) => {
        if (!(await isServerThere())) reportAway();
        else if (mayReload()) window.location.reload();
        else setFailure(error);
      },
    );
  }, [isAway, load]);
  // It is not there after loading again either: the page for crashes says so.
  if (failure) throw failure;
  return Found ? <Found {...props} /> : meanwhile;
}

const NotLoadedYet = () => (
  <Page title="Not loaded yet" about="This page appears by itself as soon as the server answers.">
    {null}
  </Page>
);

const LAST = 'wayfare reloaded';
const PAUSE_MS = 60_000;

/** Not over and over: where loading again did not help, it will not help now. */
function mayReload(): boolean {
  const last = Number(sessionStorage.getItem(LAST) ?? 0);
  if (Date.now() - last < PAUSE_MS) return false;
  sessionStorage.setItem(LAST, String(Date.now()));
  return true;
}
