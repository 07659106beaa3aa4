import { type Field, type Method, type Model, snake, wrapped } from './calls.ts';
import type { Schema } from './description.ts';

const HEADER = '# Made by `npm run sdk` from the description of the API. Do not edit.\n';
const RESERVED = ['from', 'import', 'class', 'global', 'in', 'is', 'not', 'or', 'and', 'if', 'else', 'pass'];

/** A field's name as a parameter: Python has its own use for `from`. */
const named = (name: string): string => (RESERVED.includes(name) ? `${name}_` : name);
const text = (value: unknown): string => JSON.stringify(value);

/** A schema as a type that Python 3.9 knows. */
function typeOf(schema: Schema, at: (name: string) => string): string {
  const { $ref, type, enum: values, allOf, anyOf, items } = schema;
  if ($ref) return at($ref.split('/').at(-1) ?? '');
  if ('const' in schema) return literal([schema.const]);
  if (values) return literal(values);
  if (allOf?.[0]) return typeOf(allOf[0], at);
  if (anyOf) return union(anyOf.map((one) => typeOf(one, at)));
  if (typeof type === 'object') return union(type.map((one) => typeOf({ ...schema, type: one }, at)));
  if (type === 'array') return `List[${items ? typeOf(items, at) : 'Any'}]`;
  if (type === 'object') return 'Dict[str, Any]';
  return (
    ({ string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' } as const)[type ?? ''] ?? 'Any'
  );
}

function literal(values: readonly unknown[]): string {
  const spelled = values.map((value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : text(value)));
  return values.every((value) => typeof value !== 'number' || Number.isInteger(value))
    ? `Literal[${spelled.join(', ')}]`
    : 'float';
}

const union = (types: readonly string[]): string =>
  types.length === 1 ? String(types[0]) : `Union[${types.join(', ')}]`;

const quoted = (name: string): string => `"${name}"`;

function docstring(description: string, indent: string): string {
  if (description === '') return '';
  const escaped = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const [first = '', ...rest] = wrapped(escaped, 100 - indent.length);
  if (rest.length === 0) return `${indent}"""${first.replace(/"$/, '" ')}"""\n`;
  const lines = rest.map((line) => (line === '' ? '\n' : `${indent}${line}\n`));
  return `${indent}"""${first}\n${lines.join('')}${indent}"""\n`;
}

/** A JSON object as one `TypedDict` for what is always there and one for what may be; an object inside gets a name of its own. */
function typedDict(name: string, schema: Schema, bases: readonly string[], more: string[]): string {
  const { properties = {}, required = [], description = '' } = schema;
  const line = ([field, one]: [string, Schema]): string => {
    const isObject = one.properties !== undefined;
    const row = one.items?.properties !== undefined ? one.items : undefined;
    const inner = `${name}${field[0]?.toUpperCase()}${field.slice(1)}`.replace(/_(\w)/g, (_, letter) =>
      letter.toUpperCase(),
    );
    if (isObject || row) more.push(typedDict(inner, (row ?? one) as Schema, [], more));
    const type = isObject ? quoted(inner) : row ? `List["${inner}"]` : typeOf(one, quoted);
    return `    ${field}: ${type}\n${docstring(one.description ?? '', '    ')}`;
  };
  const all = Object.entries(properties);
  const needed = all.filter(([field]) => required.includes(field));
  const optional = all.filter(([field]) => !required.includes(field));
  const parents = bases.length > 0 ? bases : ['TypedDict'];
  const doc = docstring(description, '    ');
  const body = (fields: [string, Schema][]) => doc + fields.map(line).join('') || '    pass\n';
  if (optional.length === 0) return `class ${name}(${parents.join(', ')}):\n${body(needed)}`;
  if (needed.length === 0) return `class ${name}(${parents.join(', ')}, total=False):\n${body(optional)}`;
  const first = `class _${name}(${parents.join(', ')}):\n${needed.map(line).join('')}`;
  return `${first}\n\nclass ${name}(_${name}, total=False):\n${body(optional)}`;
}

function schemaText(name: string, schema: Schema): string {
  const more: string[] = [];
  if (schema.allOf) {
    const bases = schema.allOf.flatMap(({ $ref }) => ($ref ? [$ref.split('/').at(-1) ?? ''] : []));
    const own = schema.allOf.find(({ properties }) => properties) ?? {};
    const made = typedDict(name, { ...own, description: schema.description ?? '' }, bases, more);
    return [...more, made].join('\n\n');
  }
  if (!schema.properties) return `${name} = ${typeOf(schema, quoted)}\n`;
  const made = typedDict(name, schema, [], more);
  return [...more, made].join('\n\n');
}

/** Those it is made from come first: a class is there once it has been read. */
function inOrder(schemas: Model['schemas']): [string, Schema][] {
  const done = new Set<string>();
  const order: [string, Schema][] = [];
  const visit = (name: string) => {
    const schema = schemas[name];
    if (!schema || done.has(name)) return;
    done.add(name);
    for (const { $ref } of schema.allOf ?? []) if ($ref) visit($ref.split('/').at(-1) ?? '');
    order.push([name, schema]);
  };
  for (const name of Object.keys(schemas)) visit(name);
  return order;
}

const typesText = ({ schemas, events, refusals }: Model): string =>
  [
    `${HEADER}"""What the API answers and sends, as it arrives: plain dictionaries, typed."""\nfrom typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n`,
    'class BatchItemFields(TypedDict):\n    product_id: str\n',
    'class BatchItem(BatchItemFields, total=False):\n    """One line of a batch."""\n    quantity: int\n    reference: str\n',
    ...inOrder(schemas).map(([name, schema]) => schemaText(name, schema)),
    `WebhookEvent = Union[\n${events.map((name) => `    ${name},\n`).join('')}]\n`,
    `EventName = Literal[\n${events.map((name) => `    ${text(schemas[name]?.properties?.event?.const)},\n`).join('')}]\n`,
    `ErrorCode = Literal[\n${refusals.map(({ code }) => `    ${text(code)},\n`).join('')}]\n`,
  ].join('\n\n');

function fieldType({ schema, list, isFlag }: Field): string {
  if (list === 'events') return 'Sequence[types.EventName]';
  if (list === 'items') return 'Sequence[types.BatchItem]';
  if (isFlag) return `Union[bool, ${typeOf(schema, quoted)}]`;
  // Amounts are better kept as decimals or text than as floats.
  const type = typeOf(schema, quoted);
  return type === 'float' ? 'Union[float, Decimal]' : type;
}

function methodText(method: Method): string {
  const { name, verb, path, param, isParamField, fields, answer, list } = method;
  const needed = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const arguments_ = [
    'self',
    ...(param ? [`${param}: Union[int, str]`] : []),
    ...(fields.length > 0 ? ['*'] : []),
    ...needed.map((field) => `${named(field.name)}: ${fieldType(field)}`),
    ...optional.map((field) => `${named(field.name)}: Optional[${fieldType(field)}] = None`),
    'options: Optional[CallOptions] = None',
  ];
  const type = list ? `Iterator[types.${list.row}]` : answer ? `types.${answer}` : 'bytes';
  const said = fields.flatMap((field) =>
    field.schema.description ? [`${named(field.name)}: ${field.schema.description.split('\n')[0]}`] : [],
  );
  const doc = docstring([method.summary, ...(said.length > 0 ? ['', ...said] : [])].join('\n'), '        ');
  const fieldsText = [
    ...(isParamField ? [`${text(param)}: ${param}`] : []),
    ...fields.map((field) => `${text(field.name)}: ${named(field.name)}`),
  ];
  const sent = `{${fieldsText.map((one) => `\n            ${one},`).join('')}${fieldsText.length > 0 ? '\n        ' : ''}}`;
  const where = param && !isParamField ? `at(${text(path)}, ${param})` : text(path);
  const head = `    def ${snake(name)}(\n${arguments_.map((one) => `        ${one},\n`).join('')}    ) -> ${type}:\n${doc}`;
  if (!list)
    return `${head}        answer: ${type} = self._call(${text(verb)}, ${where}, ${sent}, options)\n        return answer\n`;
  const call = `lambda fields: self._call(${text(verb)}, ${where}, fields, options)`;
  const paging =
    list.by === 'before_id'
      ? `below(${call}, fields, ${text(list.rows)}, ${text(list.of)}, ${list.limit})`
      : list.by === 'offset'
        ? `onward(${call}, fields, ${text(list.rows)})`
        : `newest_first(${call}, fields, ${text(list.rows)}, ${list.limit})`;
  return `${head}        fields: Dict[str, Any] = ${sent}\n        return ${paging}\n`;
}

const callsText = ({ groups }: Model): string =>
  [
    `${HEADER}"""The calls of the API, in groups as its paths are."""\nfrom __future__ import annotations\n\nfrom decimal import Decimal\nfrom typing import TYPE_CHECKING, Any, Dict, Iterator, Literal, Optional, Sequence, Union\n\nfrom ._pages import below, newest_first, onward\nfrom ._send import Call, CallOptions, at\n\nif TYPE_CHECKING:\n    from . import types\n`,
    ...[...groups].map(
      ([group, methods]) =>
        `class ${group[0]?.toUpperCase()}${group.slice(1)}:\n    def __init__(self, call: Call) -> None:\n        self._call = call\n\n${methods.map(methodText).join('\n')}`,
    ),
  ].join('\n\n');

const errorsText = ({ refusals }: Model): string =>
  [
    `${HEADER}"""Every refusal as a class: \`except InsufficientBalanceError as error: error.required\`."""\nfrom __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, Optional, TYPE_CHECKING, Type, Union\n\nfrom ._errors import WayfareConnectionError, WayfareError\n\nif TYPE_CHECKING:\n    from . import types\n`,
    ...refusals.map(({ name, description, fields }) => {
      const own = Object.entries(fields).map(
        ([field, schema]) =>
          `    ${field}: ${typeOf(schema, (one) => `types.${one}`)}\n${docstring(schema.description ?? '', '    ')}`,
      );
      return `class ${name}(WayfareError):\n${docstring(description, '    ')}${own.join('')}`;
    }),
    `BY_CODE: Dict[str, Type[WayfareError]] = {\n${refusals.map(({ code, name }) => `    ${text(code)}: ${name},\n`).join('')}}\n`,
    `__all__ = [\n${['WayfareConnectionError', 'WayfareError', ...refusals.map(({ name }) => name)].map((name) => `    ${text(name)},\n`).join('')}]\n`,
  ].join('\n\n');

const setText = (name: string, values: readonly string[]): string =>
  `${name} = frozenset(\n    [\n${values.map((one) => `        ${text(one)},\n`).join('')}    ]\n)\n`;

/** The generated files of the package, by their path in `sdk/python`. */
export const pythonFiles = (model: Model): ReadonlyMap<string, string> =>
  new Map([
    ['src/wayfare/types.py', typesText(model)],
    ['src/wayfare/calls.py', callsText(model)],
    ['src/wayfare/errors.py', errorsText(model)],
    [
      'src/wayfare/_contract.py',
      `${HEADER}VERSION = ${text(model.version)}\n\n# Calls that change something, and those of them that do the same when they are sent twice.\n${setText('POSTS', model.posts)}${setText('REPEATABLE', model.repeatable)}`,
    ],
  ]);
