import { Button } from '@mantine/core';
import { IconDownload } from '../../parts/icons.ts';

/** The files of a document: for people, and for accounting software. */
export function FileButtons({ at }: { at: string }) {
  return (
    <>
      <Button component="a" href={`${at}/pdf`} download leftSection={<IconDownload size={16} />}>
        PDF
      </Button>
      <Button component="a" href={`${at}/xml`} download variant="default" leftSection={<IconDownload size={16} />}>
        XML
      </Button>
    </>
  );
}
