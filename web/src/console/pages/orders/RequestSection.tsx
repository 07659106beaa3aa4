import { Text } from '@mantine/core';
import { Facts } from '../../../parts/Facts.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { keyName } from '../../../subjects/keys/keys.ts';
import { permissionsText } from '../../../subjects/keys/permissions.ts';
import { RequestAnswer } from '../../../subjects/requests/RequestAnswer.tsx';
import { RequestFields } from '../../../subjects/requests/RequestFields.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import { whyNoRequest } from './reasons.ts';

/** The API call that placed the order, as long as the request log has it. */
export function RequestSection({ detail: { request, placed } }: { detail: OrderDetail }) {
  return (
    <Section title="Request">
      {request === null ? (
        <Text size="sm" c="dimmed">
          {whyNoRequest(placed)}
        </Text>
      ) : (
        <>
          <Facts
            facts={[
              [
                'Call',
                <span key="call" className="mono">
                  {request.method} {request.endpoint}
                </span>,
              ],
              ['Status', `HTTP ${request.status} after ${request.duration_ms} ms`],
              ['Time', <When key="at" at={request.at} />],
              [
                'Request id',
                <span key="id" className="mono">
                  {request.request_id}
                </span>,
              ],
              [
                'Key',
                request.key && (
                  <span key="key" className="mono">
                    {keyName(request.key)}
                  </span>
                ),
              ],
              [
                'The key may',
                request.key !== null && request.key.permissions !== null && permissionsText(request.key.permissions),
              ],
              [
                'Source address',
                <span key="address" className="mono">
                  {request.address}
                </span>,
              ],
            ]}
          />
          <Text size="sm" fw={500} mt="md" mb={4}>
            What was sent
          </Text>
          <RequestFields fields={request.fields} />
          <Text size="sm" fw={500} mt="md" mb={4}>
            What was answered
          </Text>
          <RequestAnswer of={request} />
        </>
      )}
    </Section>
  );
}
