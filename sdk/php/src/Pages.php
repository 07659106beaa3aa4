<?php

declare(strict_types=1);

namespace Wayfare;

/** @internal Rows of a list, fetched page by page while you read them. */
final class Pages
{
    /**
     * Everything below a row: pages that neither repeat nor miss rows, whatever is added meanwhile.
     *
     * @param \Closure(array<string, mixed>): array<string, mixed> $page
     * @param array<string, mixed> $fields
     * @return \Generator<int, array<string, mixed>>
     */
    public static function below(\Closure $page, array $fields, string $rows, string $of, int $limit): \Generator
    {
        $fields['limit'] ??= $limit;
        do {
            $answer = $page($fields);
            // Not `yield from`, which would count each page from 0 again: `iterator_to_array` would lose rows.
            foreach ($answer[$rows] as $row) {
                yield $row;
                $fields['before_id'] = (int) $row[$of];
            }
        } while ($answer['has_more'] && $answer[$rows] !== []);
    }

    /**
     * Each page begins after the rows of those before it.
     *
     * @param \Closure(array<string, mixed>): array<string, mixed> $page
     * @param array<string, mixed> $fields
     * @return \Generator<int, array<string, mixed>>
     */
    public static function onward(\Closure $page, array $fields, string $rows): \Generator
    {
        $offset = (int) ($fields['offset'] ?? 0);
        do {
            $answer = $page(['offset' => $offset] + $fields);
            foreach ($answer[$rows] as $row) {
                yield $row;
            }
            $offset += count($answer[$rows]);
        } while ($answer['truncated'] && $answer[$rows] !== []);
    }

    /**
     * Page by page. Rows that arrive meanwhile push others to the next page, where they are skipped as seen.
     *
     * @param \Closure(array<string, mixed>): array<string, mixed> $page
     * @param array<string, mixed> $fields
     * @return \Generator<int, array<string, mixed>>
     */
    public static function newestFirst(\Closure $page, array $fields, string $rows, int $limit): \Generator
    {
        $fields['limit'] ??= $limit;
        $oldest = PHP_INT_MAX;
        for ($start = 1;; $start += 1) {
            $found = $page(['start' => $start] + $fields)[$rows];
            foreach ($found as $row) {
                if ($row['id'] < $oldest) {
                    $oldest = $row['id'];
                    yield $row;
                }
            }
            if (count($found) < (int) $fields['limit']) {
                return;
            }
        }
    }
}
