#!/usr/bin/env bash
# Keeps one comment of a pull request current. It can have at most 65,536 characters; of a report
# that is longer, the lines at its beginning are kept, which have what failed. Without a comment it
# says why, and succeeds: run.sh has the verdict.
# The actions set REPORT, the file with the text, and GH_TOKEN; HEAD, an owner and a branch, and
# HEAD_SHA say which pull request where GITHUB_REF doesn't.
set -euo pipefail

marker="<!-- cargo alloc-gate -->"
author="github-actions[bot]"
# Bytes, of which there are at least as many as characters; 1,000 for what follows the cut.
limit=64536

notice() { echo "::notice title=alloc-gate::no comment: $1"; }
none() {
  notice "$1"
  exit 0
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Without the permission, and for a fork, it gets HTTP 403.
github() {
  gh api "$@" 2>"$scratch/error" && return
  local reason=""
  read -r reason <"$scratch/error" || true
  notice "${reason:-gh failed}; it needs \`pull-requests: write\`, which a fork never has" >&2
  return 1
}

# A link could point to another file of this machine.
[[ -f $REPORT && ! -L $REPORT ]] || none "there is no report"

if [[ -n $HEAD_SHA ]]; then
  # Open pull requests of the branch. One that has another commit by now gets its own report.
  heads=$(github --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open \
    -f "head=$HEAD" --jq '.[] | "\(.head.sha) \(.number)"') || exit 0
  number=$(awk -v sha="$HEAD_SHA" '$1 == sha { print $2; exit }' <<<"$heads")
else
  [[ ${GITHUB_REF-} =~ ^refs/pull/([0-9]+)/ ]] && number=${BASH_REMATCH[1]} || number=""
fi
[[ -n $number ]] || none "this is not a pull request"

{
  echo "$marker"
  LC_ALL=C awk -v limit="$limit" '
    (used += length($0) + 1) > limit { cut = 1; exit }
    { print }
    match($0, /^ *```+/) {
      if (fence == "") fence = substr($0, 1, RLENGTH)
      else if (RLENGTH == length($0) && RLENGTH >= length(fence)) fence = ""
      next
    }
    fence == "" { folds += gsub(/<details/, "&") - gsub(/<\/details>/, "&") }
    END {
      if (!cut) exit
      if (fence != "") print fence
      while (folds-- > 0) print "\n</details>"
      print "\nThe rest of the report is in the summary of the run."
    }' "$REPORT"
} >"$scratch/body"

comments=repos/$GITHUB_REPOSITORY/issues
ids=$(github --paginate "$comments/$number/comments?per_page=100" \
  --jq ".[] | select(.user.login == \"$author\" and (.body | startswith(\"$marker\"))) | .id") || exit 0
id=${ids%%$'\n'*}
if [[ -n $id ]]; then
  github --silent --method PATCH "$comments/comments/$id" -F "body=@$scratch/body"
else
  github --silent --method POST "$comments/$number/comments" -F "body=@$scratch/body"
fi || exit 0
