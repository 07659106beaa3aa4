import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../../api/keys.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

/** The API key with this id, as far as the member may see keys. */
export function KeyName({ id }: { id: number }) {
  const mayLook = useMay()('see-keys');
  const found = useQuery({ ...keys, enabled: mayLook }).data?.keys.find((key) => key.id === id);
  if (!mayLook || !found) return <span className="num">No. {id}</span>;
  return (
    <Anchor component={Link} to={paths.keys} className="mono">
      {found.mask}
    </Anchor>
  );
}
