import { Page } from '../../../parts/Page.tsx';
import { Attention } from './Attention.tsx';
import { Sales } from './Sales.tsx';
import { Since } from './Since.tsx';

/** The operator's start page: what needs attention, what happened since the last visit, then sales. */
export function Home() {
  return (
    <Page title="Home">
      <Attention />
      <Since />
      <Sales />
    </Page>
  );
}
