"""The one reader of edges: what GraphML files and edge lists say, as it stands."""

import subprocess
import sys

import pytest

from gramian.errors import InputError
from gramian.io.links import links_of_graphml, links_of_lines, links_of_table

GRAPHML = b"""<graphml>
<key id="w" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>
<key id="c" for="all" attr.name="colour" attr.type="string"/>
<key id="l" for="node" attr.name="label" attr.type="string"><default>none</default></key>
<graph id="g" edgedefault="directed"><node id="a"><data key="l">first</data></node><node id="b"/>
<edge source="a" target="b"><data key="c">red</data></edge><edge source="b" target="z"/></graph>
</graphml>"""


def test_graphml_with_titles_and_defaults():
    (links,) = links_of_graphml(GRAPHML)
    assert links.name == "g" and links.directed
    assert links.nodes == {"a": {"label": "first"}, "b": {}} and links.defaults == {"label": "none"}
    assert links.ends == [("a", "b"), ("b", "z")]  # z is no node: who uses it says what that means
    assert links.kinds == {"weight": "number", "colour": "text"}
    assert links.column("weight") == ["2", "2"] and links.column("colour") == ["red", None]
    assert links.number(0, "weight") == 2.0 and links.number(0, "length") == 1.0
    with pytest.raises(InputError, match="the colour 'red' is no number"):
        links.number(0, "colour")


def test_the_same_edges_as_a_table_and_as_lines():
    table = links_of_table('source;weight;target\n"a b";0.5;c\nd;;\n', ";")
    assert table.ends == [("a b", "c")] and list(table.nodes) == ["a b", "c", "d"]
    lines = links_of_lines("source target\na c 0.5\n% comment\nd\n")
    assert lines.ends == [("a", "c")] and list(lines.nodes) == ["a", "c", "d"]
    assert table.number(0, "weight") == lines.number(0, "weight") == 0.5


@pytest.mark.slow
def test_reading_a_table_loads_no_graph_kernel():
    code = (
        "import io, sys, gramian as gm\n"
        "gm.io.read(io.StringIO('a,b\\n1,2\\n3,5\\n2,2\\n'))\n"
        "print([name for name in sys.modules if name.startswith('gramian.kernels.graph')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
