import type { Slices } from '../../../platform/limits/turns.ts';
import type { Destination, Plan } from './plan.ts';

/** The first plans and destinations that match a text, up to that many. A plan must contain all its words; case does not matter. */
export async function searchByName(
  plans: readonly Plan[],
  text: string,
  most: number,
  slices: Slices,
): Promise<{ plans: Plan[]; destinations: Destination[] }> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = { plans: [] as Plan[], destinations: new Map<string, Destination>() };
  // A single letter matches too much.
  if (text.trim().length < SHORTEST) return { plans: [], destinations: [] };
  await slices.turn();
  for (const plan of plans) {
    if (slices.isOver()) await slices.turn();
    const { destination } = plan;
    if (found.destinations.size < most && matchesName(destination, words))
      found.destinations.set(destination.code, destination);
    if (found.plans.length < most && containsWords(plan, words)) found.plans.push(plan);
    if (found.plans.length >= most && found.destinations.size >= most) break;
  }
  return { plans: found.plans, destinations: [...found.destinations.values()] };
}

const SHORTEST = 2;

/** Every word begins a word of its name, or is its code. */
function matchesName({ title, code }: Destination, words: readonly string[]): boolean {
  const names = [...title.toLowerCase().split(/[\s-]+/), code.toLowerCase()];
  return words.every((word) => names.some((one) => one.startsWith(word)));
}

export function containsWords(
  { title, destination, network, data, networkType, alias }: Plan,
  words: readonly string[],
): boolean {
  const text = `${destination.title} ${destination.code} ${title} ${data} ${data.replace(' ', '')} ${network.title} ${networkType} ${alias}`;
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
