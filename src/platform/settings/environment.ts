import { isIP } from 'node:net';
import { type Cents, parseCents } from '../amounts/cents.ts';

export class ConfigError extends Error {}

/** Readers of single settings: each returns a valid value or throws a `ConfigError` that names the setting. */
export function settingsOf(env: NodeJS.ProcessEnv) {
  const url = (name: string, fallback: string): URL => {
    try {
      const parsed = new URL(env[name] || fallback);
      if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
    } catch {}
    throw new ConfigError(`${name} must be an http or https address`);
  };
  const base = (name: string, fallback: string): URL => {
    const parsed = url(name, fallback);
    parsed.pathname = parsed.pathname.replace(/\/+$/, '');
    if (!parsed.pathname.endsWith('/v3')) throw new ConfigError(`${name} must end in /v3`);
    return parsed;
  };
  const number = (name: string, fallback: number, isValid: (value: number) => boolean, must: string): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    if (!isValid(value)) throw new ConfigError(`${name} ${must}`);
    return value;
  };
  const within = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  const positive = (name: string, fallback: number) =>
    number(name, fallback, (value) => value > 0, 'must be a number above zero');
  const notNegative = (name: string, fallback: number) =>
    number(name, fallback, (value) => value >= 0, 'is not a number of at least zero');
  // With a single one, every caller would wait for every other.
  const connections = (name: string, fallback: number) =>
    number(name, fallback, (value) => within(value, 2, 1_000), 'is not a number of connections from 2 to 1000');
  const days = (name: string, fallback: number) =>
    number(name, fallback, (value) => within(value, 1, 36_500), 'must be a number of days from 1 to 36500');
  // Statements get half of it, those of jobs too; and nothing should take longer than five minutes.
  const requestSeconds = (name: string, fallback: number) =>
    number(name, fallback, (value) => value >= 4 && value <= 300, 'must be a number of seconds from 4 to 300');
  const port = (name: string, given: string): number => {
    if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
      throw new ConfigError(`${name}: ${given} is not a port number`);
    return Number(given);
  };
  const bindTo = (name: string): string | undefined => {
    const given = env[name] || undefined;
    if (given && given !== 'localhost' && !isIP(given)) throw new ConfigError(`${name}: ${given} is not an IP address`);
    return given;
  };
  const both = (names: string, id: string | undefined, secret: string | undefined): boolean => {
    if (!id !== !secret) throw new ConfigError(`${names} must be set together`);
    return Boolean(id);
  };
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  const dayNumbers = (name: string, fallback: string): number[] => {
    const values = (env[name] || fallback).split(',').map((item) => Number(item.trim()));
    if (!values.every((value) => within(value, 1, 365)))
      throw new ConfigError(`${name} must be numbers of days from 1 to 365, separated by commas`);
    return [...new Set(values)].sort((a, b) => a - b);
  };
  const usd = (name: string): Cents | undefined => {
    if (!env[name]) return undefined;
    const cents = parseCents(env[name]);
    if (cents === undefined || cents < 0n) throw new ConfigError(`${name} must be an amount like 1000 or 1000.00`);
    return cents;
  };
  return {
    ...{ url, base, positive, connections, days, notNegative, requestSeconds },
    ...{ port, bindTo, both, list, dayNumbers, usd },
  };
}
