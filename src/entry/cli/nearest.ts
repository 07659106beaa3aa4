/** Of the known words, those most like what was typed in their place; none if nothing is alike. At most three. */
export function nearest(known: readonly string[], typedFor: (known: string) => string): string[] {
  const rated = known.map((word) => {
    const typed = typedFor(word);
    const edits = editsBetween(typed, word);
    // One error in three letters is likely; with more, any short word is like any other.
    return { word, edits: edits <= Math.max(1, typed.length / 3) ? edits : Number.POSITIVE_INFINITY };
  });
  const least = Math.min(...rated.map(({ edits }) => edits));
  return rated
    .filter(({ edits }) => edits === least && Number.isFinite(edits))
    .map(({ word }) => word)
    .slice(0, 3);
}

/** `; did you mean --name?`, or nothing. */
export function didYouMean(candidates: readonly string[]): string {
  return candidates.length === 0 ? '' : `; did you mean ${candidates.join(' or ')}?`;
}

/** How many letters have to be added, removed, replaced or swapped with the next one to make `b` of `a`. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] as number) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] as number;
}
