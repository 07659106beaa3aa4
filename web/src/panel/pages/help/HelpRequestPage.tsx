import { Anchor, Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Done } from '../../../parts/Done.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { Allowed } from '../../Allowed.tsx';
import { answerHelp, closeHelp, type HelpRequest, helpKey, helpRequest } from '../../api/help.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { RequestState } from './HelpRequests.tsx';
import { factsOf, stepName, symptomName } from './words.ts';

export function HelpRequestPage() {
  const { id = '' } = useParams();
  const { mode } = useMode();
  const found = useQuery(helpRequest(mode, id));
  return (
    <Page
      title={`Help request ${id}`}
      back={{ to: paths.helpRequests(mode), label: 'Help requests' }}
      actions={found.data && <RequestState state={found.data.request.state} />}
    >
      <Loaded query={found} lines={8}>
        {({ request }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Stack>
              <Question mode={mode} request={request} />
              <Section title="What we know" about="As it was when they asked.">
                <Facts facts={factsOf(request)} />
              </Section>
            </Stack>
            <Answer key={request.id} mode={mode} request={request} />
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  );
}

function Question({ mode, request }: { mode: Mode; request: HelpRequest }) {
  return (
    <Section title="The traveller">
      <Facts
        facts={[
          ['The phone shows', symptomName[request.shows]],
          ['The page advised', stepName[request.step]],
          [
            'eSIM',
            <Anchor key="esim" component={Link} to={paths.esim(mode, request.iccid)} className="mono">
              {request.iccid}
            </Anchor>,
          ],
          [
            'Order',
            <Anchor key="order" component={Link} to={paths.order(mode, request.order_id)} className="mono">
              {request.order_id}
            </Anchor>,
          ],
          ['Language', request.language],
          ['Email', request.email],
          ['Sent', <When key="sent" at={request.created_at} />],
        ]}
      />
      {request.message !== '' && (
        <Text mt="md" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {request.message}
        </Text>
      )}
    </Section>
  );
}

function Answer({ mode, request }: { mode: Mode; request: HelpRequest }) {
  const [text, setText] = useState('');
  const answer = useChange(() => answerHelp(mode, request.id, text), helpKey(mode));
  const close = useChange(() => closeHelp(mode, request.id), helpKey(mode));
  return (
    <Section
      title="Answer"
      about={
        request.can_answer &&
        `Mailed to the traveller in your name, with the link to the page of their eSIM. The text around yours is in their language: ${request.language}.`
      }
    >
      <Allowed to="change" cannot="answer travellers">
        <Stack>
          {request.answer && (
            <div>
              <Text size="sm" c="dimmed">
                Answered <When at={request.answered_at} />
              </Text>
              <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {request.answer}
              </Text>
            </div>
          )}
          {request.can_answer ? (
            <Form
              onSubmit={() =>
                answer.mutateAsync(undefined).then(
                  () => setText(''),
                  () => {},
                )
              }
            >
              <Stack>
                <Textarea
                  label={request.answer ? 'Another answer' : 'Your answer'}
                  autosize
                  minRows={5}
                  maxLength={4_000}
                  dir="auto"
                  value={text}
                  onChange={({ currentTarget }) => setText(currentTarget.value)}
                />
                <Problem error={answer.error} />
                {answer.isSuccess && <Done key={answer.submittedAt}>The answer is on its way.</Done>}
                <Group>
                  <Button type="submit" loading={answer.isPending} disabled={text.trim() === ''}>
                    Send answer
                  </Button>
                </Group>
              </Stack>
            </Form>
          ) : (
            <Text size="sm" c="dimmed">
              {request.email === ''
                ? 'The traveller gave no email address. The link to the page of their eSIM still works: what you change about the eSIM shows there.'
                : 'This server sends no mail; write to the traveller yourself.'}
            </Text>
          )}
          <Problem error={close.error} />
          {request.state !== 'closed' && (
            <Group>
              <Button variant="default" loading={close.isPending} onClick={() => close.mutate(undefined)}>
                Close request
              </Button>
            </Group>
          )}
        </Stack>
      </Allowed>
    </Section>
  );
}
