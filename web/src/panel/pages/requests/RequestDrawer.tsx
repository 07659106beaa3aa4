import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { errors } from '../../../../../src/platform/contract/errors.ts';
import { AddressDrawer } from '../../../parts/AddressDrawer.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import { keyName } from '../../../subjects/keys/keys.ts';
import { permissionsText } from '../../../subjects/keys/permissions.ts';
import { RequestAnswer } from '../../../subjects/requests/RequestAnswer.tsx';
import { RequestFields } from '../../../subjects/requests/RequestFields.tsx';
import { type RequestDetail, request } from '../../api/requests.ts';
import { paths } from '../../paths.ts';
import { RequestStatus } from './RequestStatus.tsx';

/** One call, opened over the list. */
export const RequestDrawer = ({ mode }: { mode: Mode }) => (
  <AddressDrawer name="request" title={() => 'API call'}>
    {(id) => <Content mode={mode} id={id} />}
  </AddressDrawer>
);

function Content({ mode, id }: { mode: Mode; id: string }) {
  const found = useQuery(request(mode, id));
  return (
    <Loaded query={found} lines={8}>
      {({ request: it }) => (
        <Stack>
          <About mode={mode} it={it} />
          <Text size="sm" fw={500}>
            What was sent
          </Text>
          <RequestFields fields={it.fields} />
          <Text size="sm" fw={500}>
            What was answered
          </Text>
          <RequestAnswer of={it} />
        </Stack>
      )}
    </Loaded>
  );
}

function About({ mode, it }: { mode: Mode; it: RequestDetail }) {
  return (
    <Facts
      facts={[
        [
          'Call',
          <span key="call" className="mono">
            {it.method} {it.endpoint}
          </span>,
        ],
        ['Status', <RequestStatus key="status" of={it} />],
        ['Error', it.error !== '' && <Refused key="error" it={it} />],
        ['Request id', <Copyable key="id" value={it.request_id} what="the request id" />],
        ['Time', <When key="at" at={it.at} />],
        ['Duration', `${it.duration_ms} ms`],
        [
          'Key',
          <Anchor key="key" component={Link} to={paths.keys} className="mono">
            {keyName(it.key)}
          </Anchor>,
        ],
        ['The key may', it.key.permissions !== null && permissionsText(it.key.permissions)],
        [
          'Source address',
          it.address && (
            <span key="address" className="mono">
              {it.address}
            </span>
          ),
        ],
        [
          'Order',
          it.order_id !== null && (
            <Anchor key="order" component={Link} to={paths.order(mode, it.order_id)} className="mono">
              {it.order_id}
            </Anchor>
          ),
        ],
      ]}
    />
  );
}

/** The code, and the sentence the contract has for it. */
function Refused({ it: { error, is_simulated } }: { it: RequestDetail }) {
  const meaning = error in errors ? errors[error as keyof typeof errors].meaning.replaceAll('`', '') : '';
  return (
    <Stack gap={2}>
      <Group gap={6}>
        <span className="mono">{error}</span>
        {is_simulated && <Badge color="gray">Simulated</Badge>}
      </Group>
      <Text size="sm" c="dimmed">
        {is_simulated ? 'This call asked for the error, so nothing was done.' : meaning}
      </Text>
    </Stack>
  );
}
