import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '../../../parts/icons.ts';
import { Page } from '../../../parts/Page.tsx';
import { KeyActions, KeyDialog } from '../../../subjects/keys/KeyActions.tsx';
import { AllowListField, NoteField } from '../../../subjects/keys/KeyFields.tsx';
import { KeyLimits } from '../../../subjects/keys/KeyLimits.tsx';
import { KeyList } from '../../../subjects/keys/KeyList.tsx';
import type { Key } from '../../../subjects/keys/keys.ts';
import { NewKey } from '../../../subjects/keys/NewKey.tsx';
import { Allowed } from '../../Allowed.tsx';
import { keyCalls, keys } from '../../api/keys.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { AccountLimits } from '../money/AccountLimits.tsx';

export function Keys() {
  const mayChange = useMay()('develop');
  return (
    <Page
      title="API keys"
      about="Sandbox keys use test money, live keys spend real money. You can have 2 active sandbox keys and 5 active live keys."
      actions={mayChange && <New />}
    >
      <Allowed to="see-keys" cannot="see API keys">
        <All mayChange={mayChange} />
      </Allowed>
    </Page>
  );
}

function All({ mayChange }: { mayChange: boolean }) {
  const found = useQuery(keys);
  return (
    <>
      <KeyList
        title="Keys"
        found={found}
        none="Create a sandbox key to start: it never costs money."
        actions={mayChange ? (key) => <Actions of={key} /> : undefined}
      />
      <KeyLimits keys={found.data?.keys ?? []} calls={keyCalls} mayChange={mayChange} />
      <AccountLimits mode={useMode().mode} />
    </>
  );
}

const about = {
  live: 'Live keys spend real money.',
  sandbox: 'Sandbox keys use test money and return test eSIMs.',
};

const New = () => {
  const isOpen = useQuery(keys).data?.airalo_door ?? false;
  return (
    <NewKey
      calls={keyCalls}
      title="New API key"
      size="sm"
      leftSection={<IconPlus size={16} />}
      first={useMode().mode}
      about={about}
      fields={
        <>
          <NoteField />
          {isOpen && (
            <Switch
              name="airalo"
              label="With Airalo credentials"
              description="A client id and a secret for software made for Airalo’s Partner API. They carry what this key may do."
            />
          )}
        </>
      }
      secretTitle="Your new API key"
    >
      Send it in the X-API-Key header, never in a URL. If you lose it, create a new key. Your newest sandbox key that is
      not restricted is also in the samples of the API reference.
    </NewKey>
  );
};

const Actions = ({ of: key }: { of: Key }) => (
  <KeyActions
    of={key}
    calls={keyCalls}
    fields={<NoteField of={key} />}
    more={
      <KeyDialog of={key} calls={keyCalls} label="IP addresses" title={`Allowed IP addresses of ${key.mask}`}>
        <AllowListField of={key} />
      </KeyDialog>
    }
  >
    Requests with this key will fail immediately. This cannot be undone. Your orders are not affected.
  </KeyActions>
);
