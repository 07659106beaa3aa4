import { Page } from '../../../components/Page.tsx';

export function Home() {
  return <Page title="Home">{null}</Page>;
}
