import { TextInput } from '@mantine/core';

/** What agents may spend with a key. */
export const SpendingField = ({ limit }: { limit: string }) => (
  <TextInput
    name="spending_limit"
    label="What agents may spend with it (USD)"
    description="50/day, 200/month, or 50 for all time; the day and the month are in UTC. Left empty, agents can only read. Purchases through the API itself are not limited."
    placeholder="50/day"
    defaultValue={limit}
    autoComplete="off"
  />
);
