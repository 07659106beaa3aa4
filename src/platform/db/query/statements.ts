/** Comments, quoted texts and names, dollar-quoted bodies, ends of statements, and all the rest. */
const PIECE = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-'"$;]+|[\s\S]/g;

/** The statements of an SQL text, without their comments and semicolons. */
export function statementsOf(text: string): string[] {
  const statements = [''];
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ';') statements.push('');
    else if (!piece.startsWith('--')) statements.push(statements.pop() + piece);
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
