import { Page } from '../../../parts/Page.tsx';
import { Attention } from './Attention.tsx';
import { Sales } from './Sales.tsx';
import { Since } from './Since.tsx';

/** Where an operator begins: what needs somebody, what happened meanwhile, then how sales go. */
export function Home() {
  return (
    <Page title="Home">
      <Attention />
      <Since />
      <Sales />
    </Page>
  );
}
