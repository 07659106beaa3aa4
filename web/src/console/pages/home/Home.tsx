import { Page } from '../../../parts/Page.tsx';
import { Attention } from './Attention.tsx';
import { Sales } from './Sales.tsx';
import { SinceLastVisit } from './SinceLastVisit.tsx';

/** The operator's start page: what needs attention, what happened since the last visit, then sales. */
export function Home() {
  return (
    <Page title="Home">
      <Attention />
      <SinceLastVisit />
      <Sales />
    </Page>
  );
}
