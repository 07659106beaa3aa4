<?php

declare(strict_types=1);

namespace Wayfare;

/** @internal How fields are sent. */
final class Form
{
    /**
     * The fields as text; those that are null are not sent.
     *
     * @param array<string, mixed> $fields
     * @return array<string, string>
     */
    public static function of(array $fields): array
    {
        return array_map(self::textOf(...), array_filter($fields, static fn (mixed $value): bool => $value !== null));
    }

    /** @param array<string, string> $form */
    public static function encoded(array $form): string
    {
        $pairs = [];
        foreach ($form as $name => $value) {
            $pairs[] = self::encode((string) $name) . '=' . self::encode($value);
        }
        return implode('&', $pairs);
    }

    /** The path with an id behind it. What a customer typed cannot leave its place. */
    public static function at(string $path, int|string $param): string
    {
        $encoded = strtr(rawurlencode((string) $param), ['%21' => '!', '%2A' => '*', '%27' => "'", '%28' => '(', '%29' => ')']);
        return "$path/$encoded";
    }

    private static function encode(string $text): string
    {
        return strtr(urlencode($text), ['%2A' => '*', '~' => '%7E']);
    }

    /** Forms hold only text: the API reads 1 and 0 for booleans, commas between plain values, and JSON for the rest. */
    private static function textOf(mixed $value): string
    {
        if (is_bool($value)) {
            return $value ? '1' : '0';
        }
        if (is_array($value)) {
            // An empty list is sent as JSON, which the API refuses: an empty text would count as not sent.
            $isPlain = $value !== [] && array_is_list($value) && array_filter($value, 'is_array') === [];
            return $isPlain ? implode(',', array_map(self::textOf(...), $value)) : self::json($value);
        }
        if (is_string($value) || $value instanceof \Stringable) {
            return (string) $value;
        }
        // A float as JSON has it: a cast would round it.
        return self::json($value);
    }

    private static function json(mixed $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }
}
