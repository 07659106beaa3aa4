import { search } from '../../api/search.ts';
import { SearchDialog as Dialog } from '../../components/SearchDialog.tsx';
import { useMode } from '../../useMode.ts';
import { Result } from './Result.tsx';
import { keyOf, pathOf } from './shown.ts';

export function SearchDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { mode } = useMode();
  return (
    <Dialog
      {...props}
      ask={(text) => ({ key: [mode, 'search', text], run: () => search(mode, text) })}
      pathOf={pathOf}
      keyOf={keyOf}
      shown={(result) => <Result result={result} />}
      label="Order, ICCID, reference, payment"
      about="Finds order ids, whole ICCIDs, the beginning of a reference, idempotency keys, payments and webhook deliveries, in live and sandbox."
      nothing="Nothing has this id, number or reference."
    />
  );
}
