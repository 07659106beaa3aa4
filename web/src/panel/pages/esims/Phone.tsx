import { Alert, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countryName } from '../../../parts/countryName.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type EsimDetail, type EsimProfile, esim } from '../../api/esims.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { ReplaceEsim, Replacement } from './ReplaceEsim.tsx';
import { SwitchService } from './SwitchService.tsx';

/** The phone reports by itself; the page follows. */
const EVERY_MS = 30_000;

/** In a few words, and what it means for the person who helps the traveller. */
export const profileWords: Record<EsimProfile['state'], readonly [name: string, meaning: string]> = {
  released: ['Not downloaded yet', 'No phone has downloaded this eSIM. The traveller still has to install it.'],
  downloaded: ['Downloaded', 'A phone has downloaded this eSIM, but the installation is not complete.'],
  installed: ['Installed', 'The eSIM is on the phone. Whether it is switched on is not known.'],
  enabled: ['Installed and switched on', 'The eSIM is on the phone and switched on.'],
  disabled: ['Switched off', 'The eSIM is on the phone, but switched off in its settings.'],
  deleted: [
    'Deleted from the phone',
    'The eSIM was deleted from the phone. Most eSIMs can’t be installed a second time.',
  ],
  unknown: ['Not known', 'The supplier of this eSIM does not report whether it is installed.'],
};

/** What was used has been on a phone, whatever the supplier said last; and nobody has to install what has ended. */
function wordsOf({ esim, usage }: EsimDetail): readonly [name: string, meaning: string] {
  const { state } = esim.profile;
  const wasUsed = usage !== null && (usage.used_mb > 0 || usage.status === 'active' || usage.status === 'depleted');
  if (state !== 'released' && state !== 'downloaded') return profileWords[state];
  if (wasUsed) return ['Not known', 'Data was used, so the eSIM has been on a phone. The supplier does not say more.'];
  return state === 'released' && isOver(esim)
    ? ['Not downloaded', 'No phone has downloaded this eSIM.']
    : profileWords[state];
}

const isOver = ({ state }: EsimDetail['esim']): boolean => state === 'expired' || state === 'cancelled';

/** What is known of the eSIM on the phone, and what can be done about it. */
export function Phone({ mode, iccid }: { mode: Mode; iccid: string }) {
  const read = useQuery({ ...esim(mode, iccid), refetchInterval: EVERY_MS });
  return (
    <Section title="Phone">
      <Loaded query={read}>
        {(detail) => (
          <Stack gap="sm">
            <Replacement mode={mode} orderId={String(detail.orders.at(-1)?.order_id)} />
            {detail.esim.state === 'suspended' && (
              <Alert color="yellow" p="sm" title="Suspended">
                The eSIM has no service until it is resumed. Its data and days run on.
              </Alert>
            )}
            <Known of={detail.esim.profile} words={wordsOf(detail)} isOver={isOver(detail.esim)} />
            <Actions mode={mode} iccid={iccid} esim={detail.esim} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

interface KnownProps {
  of: EsimProfile;
  words: readonly [name: string, meaning: string];
  isOver: boolean;
}

function Known({ of, words: [name, meaning], isOver }: KnownProps) {
  const { state, device, country, covered, seen_at } = of;
  if (state === 'unknown' && device === null && country === null)
    return (
      <Text size="sm" c="dimmed">
        Nothing is known about the phone. The supplier of this eSIM does not report it, or has not yet.
      </Text>
    );
  const place = country === null ? null : countryName(country);
  return (
    <>
      {covered === false && !isOver && (
        <Alert color="yellow" p="sm" title="Outside the plan">
          The phone was last seen in {place}, which the plan does not cover. The eSIM has no data there.
        </Alert>
      )}
      <Text size="sm">{meaning}</Text>
      <Facts
        facts={[
          ['On the phone', name],
          ['Device', device ? [device.brand, device.model].filter(Boolean).join(' ') || 'Not known' : 'Not known'],
          ['Last seen in', place ?? 'Not known'],
          ['Covered by the plan', place && (covered === null ? 'Not known' : covered ? 'Yes' : 'No')],
          ['Last seen at', seen_at && <When key="seen" at={seen_at} exact />],
        ]}
      />
    </>
  );
}

interface ActionsProps {
  mode: Mode;
  iccid: string;
  esim: EsimDetail['esim'];
}

/** What can be asked for now, and by this member. */
function Actions({ mode, iccid, esim: { state, capabilities } }: ActionsProps) {
  const may = useMay();
  const isView = useIsView();
  if (isView) return null;
  return (
    <Group gap="xs" align="flex-start">
      {may('refund') && capabilities.includes('suspend') && (
        <SwitchService mode={mode} iccid={iccid} isSuspended={state === 'suspended'} />
      )}
      {may('buy') && capabilities.includes('replace') && <ReplaceEsim mode={mode} iccid={iccid} />}
    </Group>
  );
}
