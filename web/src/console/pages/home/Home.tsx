import { Page } from '../../../parts/Page.tsx';
import { Attention } from './Attention.tsx';
import { Sales } from './Sales.tsx';

/** Where an operator begins: what needs somebody, then how sales go. */
export function Home() {
  return (
    <Page title="Home">
      <Attention />
      <Sales />
    </Page>
  );
}
