import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { InvitationLink } from '../../../subjects/people/InvitationLink.tsx';
import { allPartners } from '../../api/partners.ts';
import { invite as inviteMember } from './invite.ts';

interface FirstMemberProps {
  of: { readonly id: number; readonly name: string; readonly email: string };
  /** Called when a member was invited, or the step was skipped. */
  onDone: () => void;
}

/** The second step of a new partner. */
export function FirstMember({ of: { id, name, email }, onDone }: FirstMemberProps) {
  const invite = useChange((wanted: { email: string; role: 'owner' }) => inviteMember(id, wanted), allPartners);
  const made = invite.data;
  return (
    <>
      <Modal opened={made === undefined} onClose={onDone} title={`${name} is created`}>
        <Form
          onSubmit={(typed) => {
            invite.mutate({ email: String(typed.get('email')), role: 'owner' });
          }}
        >
          <Stack>
            <Text size="sm">
              Invite its first member as an owner. They set a password with a one-time link, and then invite others and
              create API keys in the panel themselves.
            </Text>
            <TextInput
              name="email"
              type="email"
              label="Email"
              defaultValue={email}
              autoComplete="off"
              required
              data-autofocus
            />
            <Problem error={invite.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onDone}>
                Not now
              </Button>
              <Button type="submit" loading={invite.isPending}>
                Create link
              </Button>
            </Group>
          </Stack>
        </Form>
      </Modal>
      <InvitationLink made={made} onClose={onDone} />
    </>
  );
}
