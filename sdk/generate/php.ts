import { type Field, type Method, type Model, wrapped } from './calls.ts';
import type { Schema } from './description.ts';

const HEADER =
  '<?php\n\n// Made by `npm run sdk` from the description of the API. Do not edit.\ndeclare(strict_types=1);\n';
const CONTAINED = /\b[A-Z]\w*\b/g;

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const upper = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** A schema as a type for static analysis; at run time it is what `json_decode` makes. */
function typeOf(schema: Schema, schemas: Model['schemas']): string {
  const { $ref, type, enum: values, allOf, anyOf, properties, items } = schema;
  const of = (one: Schema) => typeOf(one, schemas);
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if ('const' in schema) return constant(schema.const);
  if (values) return values.map(constant).join('|');
  if (allOf || properties) return shape(merged(schema, schemas), schemas);
  if (anyOf) return anyOf.map(of).join('|');
  if (typeof type === 'object') return type.map((one) => of({ ...schema, type: one })).join('|');
  if (type === 'array') return `list<${items ? of(items) : 'mixed'}>`;
  if (type === 'object') return 'array<string, mixed>';
  // A whole number has no point in JSON, and is an int in PHP.
  return (
    ({ string: 'string', integer: 'int', number: 'int|float', boolean: 'bool', null: 'null' } as const)[type ?? ''] ??
    'mixed'
  );
}

const constant = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

function merged(
  { allOf = [], properties = {}, required = [] }: Schema,
  schemas: Model['schemas'],
): Required<Pick<Schema, 'properties' | 'required'>> {
  const parts = allOf.map((one) => {
    const named = one.$ref ? schemas[one.$ref.split('/').at(-1) ?? ''] : one;
    return merged(named ?? {}, schemas);
  });
  return {
    properties: Object.assign({}, ...parts.map((one) => one.properties), properties),
    required: [...parts.flatMap((one) => one.required), ...required],
  };
}

/** New fields may come at any time, which a shape that ends in `...` allows. */
function shape({ properties = {}, required = [] }: Schema, schemas: Model['schemas']): string {
  const fields = Object.entries(properties).map(
    ([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(one, schemas)}`,
  );
  return `array{${fields.join(', ')}, ...}`;
}

function comment(lines: readonly string[], indent = ''): string {
  const safe = lines
    .flatMap((line) => (line.startsWith('@') ? [line] : wrapped(line, 110 - indent.length)))
    .map((line) => line.replaceAll('*/', '* /'));
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function typesText({ schemas, events, refusals }: Model): string {
  const types = Object.entries(schemas).map(([name, schema]) => `@phpstan-type ${name} ${typeOf(schema, schemas)}`);
  const names = events.map((name) => `'${String(schemas[name]?.properties?.event?.const)}'`);
  return `${HEADER}
namespace Wayfare;

${comment([
  'What the API answers and sends, for static analysis (PHPStan, Psalm): at run time these are plain arrays. Import one with',
  '`@phpstan-import-type Product from \\Wayfare\\Types`.',
  '',
  '@phpstan-type BatchItem array{product_id: string, quantity?: int, reference?: string}',
  ...types,
  `@phpstan-type WebhookEvent ${events.join('|')}`,
  `@phpstan-type EventName ${names.join('|')}`,
  `@phpstan-type ErrorCode ${refusals.map(({ code }) => `'${code}'`).join('|')}`,
])}final class Types
{
}
`;
}

function fieldType({ schema, list, isFlag }: Field, schemas: Model['schemas']): string {
  if (list === 'events') return 'list<EventName>';
  if (list === 'items') return 'list<BatchItem>';
  const type = typeOf(schema, schemas);
  return isFlag ? `bool|${type}` : type;
}

function methodText(method: Method, model: Model): string {
  const { name, verb, path, param, isParamField, fields, answer, list, summary } = method;
  const isNeeded = fields.some(({ isRequired }) => isRequired);
  const shapes = fields.map(
    (field) => `${field.name}${field.isRequired ? '' : '?'}: ${fieldType(field, model.schemas)}|null`,
  );
  const said = fields.flatMap(({ name: field, schema }) =>
    schema.description ? [`- \`${field}\`: ${schema.description.split('\n')[0]}`] : [],
  );
  const doc = comment(
    [
      summary,
      ...(said.length > 0 ? ['', ...said] : []),
      '',
      `@param array{${[...shapes, '...'].join(', ')}} $fields`,
      `@return ${list ? `\\Generator<int, ${list.row}>` : (answer ?? 'string')}`,
    ],
    '    ',
  );
  const arguments_ = [
    ...(param ? [`int|string $${param}`] : []),
    `array $fields${isNeeded ? '' : ' = []'}`,
    '?CallOptions $options = null',
  ];
  const where = param && !isParamField ? `Form::at(${text(path)}, $${param})` : text(path);
  const sent = isParamField ? `['${param}' => $${param}] + $fields` : '$fields';
  const send = (given: string) => `($this->send)('${verb}', ${where}, ${given}, $options)`;
  const page = `fn (array $fields): array => ${send('$fields')}`;
  const body = !list
    ? send(sent)
    : list.by === 'before_id'
      ? `Pages::below(${page}, $fields, '${list.rows}', '${list.of}', ${list.limit})`
      : list.by === 'offset'
        ? `Pages::onward(${page}, $fields, '${list.rows}')`
        : `Pages::newestFirst(${page}, $fields, '${list.rows}', ${list.limit})`;
  const type = list ? '\\Generator' : answer ? 'array' : 'string';
  return `${doc}    public function ${name}(${arguments_.join(', ')}): ${type}\n    {\n        return ${body};\n    }\n`;
}

function groupText(group: string, methods: readonly Method[], model: Model): string {
  const texts = methods.map((method) => methodText(method, model));
  const known = new Set([...Object.keys(model.schemas), 'BatchItem', 'EventName']);
  const used = new Set([...(texts.join('').match(CONTAINED) ?? [])].filter((name) => known.has(name)));
  // Two groups are called like what they list.
  const imports = [...used].sort().map((name) => `@phpstan-import-type ${name} from \\Wayfare\\Types`);
  const paths = methods.some(({ param, isParamField }) => param && !isParamField);
  const pages = methods.some(({ list }) => list);
  return `${HEADER}
namespace Wayfare\\Calls;

use Wayfare\\CallOptions;
${paths ? 'use Wayfare\\Form;\n' : ''}${pages ? 'use Wayfare\\Pages;\n' : ''}use Wayfare\\Sender;

${comment([`The calls below \`${group}/\`.`, '', ...imports])}final class ${upper(group)}Calls
{
    /** @internal */
    public function __construct(private readonly Sender $send)
    {
    }

${texts.join('\n')}}
`;
}

function errorText({ name, description, fields }: Model['refusals'][number], model: Model): string {
  const all = Object.entries(fields);
  const types = all.map(([, schema]) => typeOf(schema, model.schemas));
  const imports = types
    .filter((type) => type in model.schemas)
    .map((type) => `@phpstan-import-type ${type} from \\Wayfare\\Types`);
  const properties = all.map(([field, schema], i) =>
    `@property-read ${types[i]} $${field} ${(schema.description ?? '').split('\n')[0]}`.trimEnd(),
  );
  return `${HEADER}
namespace Wayfare\\Errors;

use Wayfare\\WayfareError;

${comment([description, ...(all.length > 0 ? ['', ...imports, ...properties] : [])])}final class ${name} extends WayfareError
{
}
`;
}

const listText = (name: string, values: readonly string[]): string =>
  `    public const ${name} = [\n${values.map((one) => `        ${text(one)} => true,\n`).join('')}    ];\n`;

const contractText = ({ version, posts, repeatable, refusals }: Model): string => `${HEADER}
namespace Wayfare;

/** @internal */
final class Contract
{
    public const VERSION = ${text(version)};

    /** Calls that change something. */
${listText('POSTS', [...new Set(posts)])}
    /** Those of them that do the same when they are sent twice. */
${listText('REPEATABLE', repeatable)}
    /** @var array<string, class-string<WayfareError>> */
    public const ERRORS = [
${refusals.map(({ code, name }) => `        ${text(code)} => Errors\\${name}::class,\n`).join('')}    ];
}
`;

/** The generated files of the package, by their path in `sdk/php`. */
export const phpFiles = (model: Model): ReadonlyMap<string, string> =>
  new Map([
    ['src/Types.php', typesText(model)],
    ['src/Contract.php', contractText(model)],
    ...[...model.groups].map(([group, methods]): [string, string] => [
      `src/Calls/${upper(group)}Calls.php`,
      groupText(group, methods, model),
    ]),
    ...model.refusals.map((refusal): [string, string] => [`src/Errors/${refusal.name}.php`, errorText(refusal, model)]),
  ]);
