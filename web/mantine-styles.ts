import type { Plugin } from 'vite';

const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Loads the styles of a Mantine component together with its code: those of all components are 250 kB, and one imported by hand is
 * easily forgotten. They are in a layer, so our own styles win whichever chunk arrives first.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform(code, id) {
      const component = CLASSES.exec(id)?.[1];
      if (component === undefined) return undefined;
      return {
        code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`,
        map: null,
        moduleSideEffects: false,
      };
    },
  };
}
