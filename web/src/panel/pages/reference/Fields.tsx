import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Description, resolved, type Schema } from './description.ts';
import classes from './Fields.module.css';
import { inline, Prose } from './Prose.tsx';

/** One field of a request or an answer, in words. */
export function Field(field: {
  name: string;
  schema: Schema;
  about: string;
  required?: boolean;
  /** Of an answer: it is not always there. */
  mayMiss?: boolean;
  children?: ReactNode;
}) {
  const { name, schema, about, required, mayMiss, children } = field;
  const meanings = schema['x-enum-descriptions'];
  // The values are listed below, so the list in the text is left out.
  const text = meanings ? (about.split('\n\n- ')[0] ?? '') : about;
  return (
    <div className={classes.field}>
      <dt className={classes.name}>
        <span className="mono">{name}</span>
        <span className={classes.kind}>{kindOf(schema)}</span>
        {required && (
          <Badge size="xs" variant="default">
            required
          </Badge>
        )}
        {mayMiss && (
          <Badge size="xs" variant="default">
            not always
          </Badge>
        )}
      </dt>
      <dd className={classes.about}>
        <Prose text={text} />
        {meanings && (
          <Prose
            text={Object.entries(meanings)
              .map(([value, meaning]) => `- ${value === '' ? 'empty' : `\`${value}\``}: ${meaning}`)
              .join('\n')}
          />
        )}
        <span className={classes.kind}>{inline(rulesOf(schema))}</span>
        {children}
      </dd>
    </div>
  );
}

interface FieldsProps {
  api: Description;
  schema: Schema;
  depth?: number;
  /** Fields that are explained elsewhere. */
  without?: readonly string[];
}

/** The fields of an object, and what is inside them. */
export function Fields({ api, schema, depth = 0, without = [] }: FieldsProps) {
  const { properties = {}, required = [] } = flat(api, schema);
  return (
    <dl className={classes.list}>
      {Object.entries(properties)
        .filter(([name]) => !without.includes(name))
        .map(([name, property]) => {
          const inner = insideOf(api, property);
          const about = property.description ?? resolved(api, property).description ?? '';
          return (
            <Field
              key={name}
              name={name}
              schema={resolved(api, property)}
              about={about}
              mayMiss={!required.includes(name)}
            >
              {inner && depth < 3 && (
                <div className={classes.inner}>
                  <Fields api={api} schema={inner} depth={depth + 1} />
                </div>
              )}
            </Field>
          );
        })}
    </dl>
  );
}

/** All parts of a schema as one; of several shapes, the fields of all. */
function flat(api: Description, schema: Schema): Schema {
  const found = resolved(api, schema);
  const parts = [...(found.allOf ?? []), ...(found.anyOf ?? [])].map((part) => flat(api, part));
  const always = (found.allOf ?? []).flatMap((part) => flat(api, part).required ?? []);
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties), found.properties),
    required: [...always, ...(found.required ?? [])],
  };
}

/** The object within a field or a list; undefined if there is none. */
function insideOf(api: Description, schema: Schema): Schema | undefined {
  const found = resolved(api, schema);
  const candidates = [found, ...(found.items ? [found.items] : []), ...(found.anyOf ?? [])];
  return candidates.find((one) => resolved(api, one).properties);
}

function kindOf(schema: Schema): string {
  const types = [schema.type ?? (schema.anyOf ? schema.anyOf.map(({ type = 'object' }) => type) : 'object')].flat(2);
  return types.map((type) => (type === 'array' ? 'list' : type)).join(' or ');
}

function rulesOf(schema: Schema): string {
  const { minimum, maximum, maxLength, default: usual, examples, enum: values } = schema;
  const meanings = schema['x-enum-descriptions'];
  const [example] = examples ?? [];
  return [
    values && !meanings
      ? `One of ${values.map((value) => (value === '' ? 'an empty text' : `\`${value}\``)).join(', ')}.`
      : '',
    minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : '',
    maxLength !== undefined ? `At most ${maxLength} characters.` : '',
    usual !== undefined ? `Without it: \`${usual}\`.` : '',
    example !== undefined && example !== '' && !values ? `Example: \`${shown(example)}\`` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
