import { Copyable } from '../../../parts/Copy.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconX } from '../../../parts/icons.ts';

/** Takes the place of the activation data, which no longer installs anything. */
export function Withdrawn({ iccid }: { iccid: string }) {
  return (
    <Empty icon={IconX} title="Withdrawn">
      The supplier withdrew this eSIM because it was refunded or replaced. It can no longer be installed, used or
      refilled.
      <br />
      <Copyable value={iccid} what="the ICCID" />
    </Empty>
  );
}
