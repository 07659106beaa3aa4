import { Anchor, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { type GuideName, guideNames } from '../../../../../src/entry/public/reference/guide-names.ts';
import type { Guide } from '../../../../guides.ts';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Missing } from '../../../parts/Missing.tsx';
import { Page } from '../../../parts/Page.tsx';
import { site } from '../../../parts/site.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import classes from './Fields.module.css';

const load: Readonly<Record<GuideName, () => Promise<{ guide: Guide }>>> = {
  'first-purchase': () => import('../../../../../docs/guides/first-purchase.md'),
  orders: () => import('../../../../../docs/guides/orders.md'),
  webhooks: () => import('../../../../../docs/guides/webhooks.md'),
  events: () => import('../../../../../docs/guides/events.md'),
  idempotency: () => import('../../../../../docs/guides/idempotency.md'),
  sandbox: () => import('../../../../../docs/guides/sandbox.md'),
  errors: () => import('../../../../../docs/guides/errors.md'),
  money: () => import('../../../../../docs/guides/money.md'),
  'help-a-traveller': () => import('../../../../../docs/guides/help-a-traveller.md'),
  'coming-from-airalo': () => import('../../../../../docs/guides/coming-from-airalo.md'),
  'build-a-shop': () => import('../../../../../docs/guides/build-a-shop.md'),
};

/** The operator's name, as markup. */
const NAME = site.name.replaceAll(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const isGuide = (name: string): name is GuideName => name in guideNames;

export function GuidePage() {
  const { name = '' } = useParams();
  return isGuide(name) ? <Read key={name} name={name} /> : <Missing />;
}

function Read({ name }: { name: GuideName }) {
  const names = Object.keys(guideNames) as GuideName[];
  const next = names[names.indexOf(name) + 1];
  const guide = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await load[name]()).guide,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const here = useAddresses();
  const followLink = useLinks();
  useChapter(guide.isSuccess);
  return (
    <Page
      title={guideNames[name][0]}
      about={guideNames[name][1]}
      back={{ to: paths.reference, label: 'API reference' }}
    >
      <Loaded query={guide} lines={16}>
        {({ parts }) => (
          <Stack gap="sm" className={classes.guide} onClick={followLink}>
            {parts.map((part) =>
              'code' in part ? (
                <CodeBlock key={part.code} text={here(part.code)} what="the code" />
              ) : (
                // biome-ignore lint/security/noDangerouslySetInnerHtml: made of our own guides when the panel was built.
                <div key={part.html} dangerouslySetInnerHTML={{ __html: here(part.html).replaceAll('{site}', NAME) }} />
              ),
            )}
          </Stack>
        )}
      </Loaded>
      {next && (
        <Group justify="flex-end">
          <Anchor component={Link} to={paths.guide(next)}>
            Next: {guideNames[next][0]}
          </Anchor>
        </Group>
      )}
    </Page>
  );
}

/** Replaces the addresses of a fresh installation, which the guides use, with those of this one. */
function useAddresses(): (text: string) => string {
  const addresses = useQuery(me).data?.addresses;
  return (text) =>
    addresses
      ? text
          .replaceAll('http://localhost:4010/v3', addresses.sandbox)
          .replaceAll('http://localhost:4020/v3', addresses.live)
          .replaceAll('http://localhost:4000', window.location.origin)
      : text;
}

/** Scrolls to the heading that the address names, which is there only once the guide is. */
function useChapter(isLoaded: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key differs when the same link is followed again.
  useEffect(() => {
    if (isLoaded && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, key, isLoaded]);
}

/** Links between guides change the page without loading it again. */
function useLinks(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = (event.target as Element).closest('a');
    if (!link || link.origin !== window.location.origin || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate(link.pathname + link.hash);
  };
}
