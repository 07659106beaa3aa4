import { isIP } from 'node:net';
import { type Cents, parseCents } from '../amounts/cents.ts';
import { CREDENTIAL } from './supplier-fields.ts';

export class ConfigError extends Error {}

export const MIN_SECRET_LENGTH = 32;

export type Settings = ReturnType<typeof settingsOf>;

/** Readers of single settings: each returns a valid value or throws a `ConfigError` that names the setting. */
export function settingsOf(env: NodeJS.ProcessEnv) {
  const url = (name: string, fallback: string): URL => {
    try {
      const parsed = new URL(env[name] || fallback);
      if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
    } catch {}
    throw new ConfigError(`${name} must be an http or https address`);
  };
  /** Ours, to which paths are added. */
  const own = (name: string, fallback: string): URL => {
    const parsed = url(name, fallback);
    if (parsed.search || parsed.hash) throw new ConfigError(`${name} must be an address without ? and #`);
    return parsed;
  };
  const base = (name: string, fallback: string): URL => {
    const parsed = own(name, fallback);
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
  // Each has a highest value: an endless wait, or one that a timer cannot count, is a mistake.
  const positive = (name: string, fallback: number, most: number) =>
    number(name, fallback, (value) => value > 0 && value <= most, `must be a number above zero, at most ${most}`);
  const notNegative = (name: string, fallback: number, most: number) =>
    number(name, fallback, (value) => value >= 0 && value <= most, `must be a number from 0 to ${most}`);
  const count = (name: string, fallback: number, most: number) =>
    number(name, fallback, (value) => within(value, 1, most), `must be a whole number from 1 to ${most}`);
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
  // Not repeated in the messages: each may contain a password.
  const postgres = (name: string): string | undefined => {
    const given = env[name] || undefined;
    if (given && !(/^postgres(ql)?:\/\/./.test(given) && addressesIn(given).every((one) => URL.canParse(one))))
      throw new ConfigError(`${name} must be an address like postgres://user:password@host:5432/database`);
    return given;
  };
  const redis = (name: string): string | undefined => {
    const given = env[name] || undefined;
    if (given && !(/^rediss?:\/\/./.test(given) && URL.canParse(given)))
      throw new ConfigError(`${name} must be an address like redis://:password@host:6379`);
    return given;
  };
  const credential = (name: string): string | undefined => {
    const given = env[name] || undefined;
    if (given && !CREDENTIAL.test(given))
      throw new ConfigError(`${name} must be 1 to 500 letters, digits and symbols without spaces`);
    return given;
  };
  const longEnough = (name: string, given: string): string => {
    if (given.length < MIN_SECRET_LENGTH)
      throw new ConfigError(
        `${name} needs at least ${MIN_SECRET_LENGTH} characters: \`openssl rand -hex 32\` makes one`,
      );
    return given;
  };
  const secret = (name: string): string | undefined => (env[name] ? longEnough(name, env[name]) : undefined);
  const secrets = (name: string): string[] => list(name).map((one) => longEnough(name, one));
  const hostsWithPort = (name: string): string[] =>
    list(name).map((given) => {
      const parsed = URL.parse(`http://${given}`);
      if (
        !parsed ||
        !/^[^/?#@\s]+:\d+$/.test(given) ||
        given.toLowerCase() !== `${parsed.hostname}:${given.split(':').at(-1)}`
      )
        throw new ConfigError(`${name}: ${given} is not a host with a port, such as localhost:9000`);
      return given.toLowerCase();
    });
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
  const isOn = (name: string, otherwise: 'on' | 'off' = 'off'): boolean => {
    const given = env[name] || otherwise;
    if (given !== 'on' && given !== 'off') throw new ConfigError(`${name} must be on or off`);
    return given === 'on';
  };
  return {
    ...{ url, own, base, postgres, redis, credential, secret, secrets, hostsWithPort },
    ...{ positive, count, connections, days, notNegative, requestSeconds },
    ...{ port, bindTo, both, list, dayNumbers, usd, isOn },
  };
}

/** Quotes around a value with spaces are taken off by systemd and shells, and left on by containers. */
export const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** The address of each server that a database URL names: `postgres://user:password@h1:5432,h2:5432/db`. */
export function addressesIn(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + end) : [url];
}
