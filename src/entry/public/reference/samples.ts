export interface Call {
  readonly verb: 'GET' | 'POST';
  /** With the path parameter filled in: `https://…/v3/order/detail/1042`. */
  readonly url: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** A sandbox key of the reader's. Without one the key is in `$WAYFARE_KEY`, so it is neither on screen nor in a file. */
  readonly key?: string | undefined;
}

interface Sent {
  readonly name: string;
  readonly place: 'path' | 'query' | 'form';
}

/** The call with the values that were filled in; fields without one are not sent. */
export function callOf(
  { verb, path }: { readonly verb: Call['verb']; readonly path: string },
  fields: readonly Sent[],
  values: Readonly<Record<string, string>>,
  base: string,
): Call {
  const param = values[fields.find(({ place }) => place === 'path')?.name ?? ''] || 'ID';
  return {
    verb,
    url: `${base}${path.replace(/\{.*\}/, encodeURIComponent(param))}`,
    fields: fields
      .filter(({ place, name }) => place !== 'path' && (values[name] ?? '') !== '')
      .map(({ name }) => [name, values[name] ?? '']),
  };
}

export const languages = ['curl', 'TypeScript', 'Python', 'PHP', 'Go'] as const;
export type Language = (typeof languages)[number];

export const sampleOf = (language: Language, call: Call): string => written[language](call);

const written: Readonly<Record<Language, (call: Call) => string>> = {
  curl: ({ verb, url, fields, key = '$WAYFARE_KEY' }) => {
    const data = fields.map(([name, value]) => ` \\\n  --data-urlencode ${shell(`${name}=${value}`)}`).join('');
    const how = verb === 'GET' ? (fields.length > 0 ? ' --get' : '') : fields.length > 0 ? '' : ' --request POST';
    return `curl --silent${how} --header "X-API-Key: ${key}"${data} \\\n  ${shell(url)}`;
  },

  TypeScript: ({ verb, url, fields, key }) => {
    const params = `new URLSearchParams(${object(fields, '{', '}', ': ', 2)})`;
    const isQuery = verb === 'GET' && fields.length > 0;
    const options = [
      ...(verb === 'POST' ? [`  method: 'POST',`] : []),
      `  headers: { 'X-API-Key': ${key ? quoted(key) : "process.env.WAYFARE_KEY ?? ''"} },`,
      ...(verb === 'POST' && fields.length > 0 ? [`  body: ${params},`] : []),
    ];
    return [
      ...(isQuery ? [`const query = ${params.replaceAll('\n  ', '\n')};`] : []),
      `const answer = await fetch(${isQuery ? `${quoted(`${url}?`)} + query` : quoted(url)}, {`,
      ...options,
      '});',
      'console.log(await answer.json());',
    ].join('\n');
  },

  Python: ({ verb, url, fields, key }) => {
    const hasFields = fields.length > 0;
    const params = `urlencode(${object(fields, '{', '}', ': ', 4)})`;
    const isQuery = verb === 'GET' && hasFields;
    return [
      'import json',
      ...(key ? [] : ['import os']),
      'from urllib.error import HTTPError',
      ...(hasFields ? ['from urllib.parse import urlencode'] : []),
      'from urllib.request import Request, urlopen',
      '',
      'request = Request(',
      `    ${quoted(isQuery ? `${url}?` : url)}${isQuery ? ` + ${params}` : ''},`,
      ...(verb === 'POST' ? [`    data=${hasFields ? `${params}.encode()` : 'b""'},`] : []),
      `    headers={"X-API-Key": ${key ? quoted(key) : 'os.environ["WAYFARE_KEY"]'}},`,
      ')',
      'try:',
      '    answer = json.load(urlopen(request))',
      'except HTTPError as refused:',
      '    answer = json.load(refused)',
      'print(json.dumps(answer, indent=2))',
    ].join('\n');
  },

  PHP: ({ verb, url, fields, key }) => {
    const params = `http_build_query(${object(fields, '[', ']', ' => ', 4, php)})`;
    const isQuery = verb === 'GET' && fields.length > 0;
    return [
      '<?php',
      `$url = ${php(isQuery ? `${url}?` : url)}${isQuery ? ` . ${params.replaceAll('\n    ', '\n')}` : ''};`,
      `$answer = file_get_contents($url, false, stream_context_create(['http' => [`,
      `    'method' => '${verb}',`,
      `    'header' => [${key ? php(`X-API-Key: ${key}`) : "'X-API-Key: ' . getenv('WAYFARE_KEY')"}${verb === 'POST' ? ", 'Content-Type: application/x-www-form-urlencoded'" : ''}],`,
      ...(verb === 'POST' && fields.length > 0 ? [`    'content' => ${params},`] : []),
      "    'ignore_errors' => true,",
      ']]));',
      'print_r(json_decode($answer, true));',
    ].join('\n');
  },

  Go: ({ verb, url, fields, key }) => {
    const hasFields = fields.length > 0;
    const isForm = verb === 'POST' && hasFields;
    const values = fields.map(([name, value]) => `\t\t${quoted(name)}: {${quoted(value)}},`);
    const address = verb === 'GET' && hasFields ? `${quoted(`${url}?`)}+fields.Encode()` : quoted(url);
    return [
      'package main',
      '',
      'import (',
      '\t"fmt"',
      '\t"io"',
      '\t"net/http"',
      ...(hasFields ? ['\t"net/url"'] : []),
      ...(key ? [] : ['\t"os"']),
      ...(isForm ? ['\t"strings"'] : []),
      ')',
      '',
      'func main() {',
      ...(hasFields ? ['\tfields := url.Values{', ...values, '\t}'] : []),
      `\trequest, err := http.NewRequest("${verb}", ${address}, ${isForm ? 'strings.NewReader(fields.Encode())' : 'nil'})`,
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      `\trequest.Header.Set("X-API-Key", ${key ? quoted(key) : 'os.Getenv("WAYFARE_KEY")'})`,
      ...(isForm ? ['\trequest.Header.Set("Content-Type", "application/x-www-form-urlencoded")'] : []),
      '\tanswer, err := http.DefaultClient.Do(request)',
      '\tif err != nil {',
      '\t\tpanic(err)',
      '\t}',
      '\tdefer answer.Body.Close()',
      '\tbody, _ := io.ReadAll(answer.Body)',
      '\tfmt.Println(string(body))',
      '}',
    ].join('\n');
  },
};

/** JSON's way of quoting is also JavaScript's, Python's and Go's. */
const quoted = (text: string): string => JSON.stringify(text);
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const php = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function object(
  fields: Call['fields'],
  open: string,
  close: string,
  colon: string,
  indent: number,
  quote: (text: string) => string = quoted,
): string {
  const [outer, inner] = [' '.repeat(indent), ' '.repeat(indent * 2)];
  const lines = fields.map(([name, value]) => `${inner}${quote(name)}${colon}${quote(value)},`);
  return `${open}\n${lines.join('\n')}\n${outer}${close}`;
}
