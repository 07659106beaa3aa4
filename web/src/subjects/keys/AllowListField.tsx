import { Textarea } from '@mantine/core';

export function AllowListField({ defaultValue }: { defaultValue: string }) {
  return (
    <Textarea
      name="allow_list"
      label="Allowed IP addresses"
      description="IPv4 or IPv6 addresses or CIDR blocks, one per line or separated by commas. Leave empty to allow any address."
      placeholder={'203.0.113.7\n2001:db8::/32'}
      rows={4}
      defaultValue={defaultValue}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
    />
  );
}
